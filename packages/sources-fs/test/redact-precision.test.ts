// Verifies: SSOT 5.10 (what is marked in the packages that this repository depends on)
import { createRedactor } from "@cm/sources-fs";
import { expect, it } from "vitest";
import { dependedFiles } from "./support/committed-files.ts";

const redact = createRedactor();

it("marks at most one file of 1,000 in large projects", () => {
  const files = dependedFiles(4_000);

  const marked = files.filter(({ text }) => redact(text).count > 0);

  expect(files.length).toBeGreaterThan(3_500);
  expect(marked.map(({ path }) => path).length, marked.map(({ path }) => path).join("\n")).toBeLessThanOrEqual(
    Math.ceil(files.length / 1_000),
  );
});
