// Verifies: design 9, content with zstd, plain where that is smaller.
import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { decodeContent, encodeContent } from "../src/content-codec.ts";

const texts = [
  "",
  "short",
  "é\u{1f600}\0",
  "line\n".repeat(1_000),
  randomBytes(3_000).toString("base64"),
  "x".repeat(2_000_000),
];

it.each(texts)("a text comes back as it was (%#)", (text) => {
  expect(decodeContent(encodeContent(text))).toBe(text);
});

it("takes the smaller of plain and compressed", () => {
  expect(texts.map((text) => encodeContent(text).enc)).toEqual([0, 0, 0, 1, 1, 1]);
  for (const text of texts) expect(encodeContent(text).data.length).toBeLessThanOrEqual(Buffer.byteLength(text));
});

it("does not unpack more than the stored size", () => {
  const bomb = { ...encodeContent("x".repeat(2_000_000)), size: 100 };

  expect(() => decodeContent(bomb)).toThrow();
});
