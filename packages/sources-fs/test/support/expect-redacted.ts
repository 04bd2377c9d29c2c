import { createRedactor } from "@cm/sources-fs";
import { expect } from "vitest";

const redact = createRedactor();

/** Neither half of a secret is left, lines stay what they are, and what came out of it has no secret. */
export function expectRedacted(text: string, secret: string): void {
  const { text: redacted, count } = redact(text);

  expect(redacted).not.toContain(secret.slice(0, secret.length / 2));
  expect(redacted).not.toContain(secret.slice(secret.length / 2));
  expect(count).toBeGreaterThan(0);
  expect(redacted.split("\n")).toHaveLength(text.split("\n").length);
  expect(redact(redacted)).toEqual({ text: redacted, count: 0 });
}
