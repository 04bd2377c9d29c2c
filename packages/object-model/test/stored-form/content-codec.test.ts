// Verifies: SSOT 2.8: content with zstd, short ones with deflate, plain where that is smaller.
import { randomBytes } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { decodeContent, encodeContent } from "../../src/stored-form/index.ts";

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
  expect(texts.map((text) => encodeContent(text).enc)).toEqual([0, 0, 0, 1, 2, 1]);
  for (const text of texts) expect(encodeContent(text).data.length).toBeLessThanOrEqual(Buffer.byteLength(text));
});

it("does not unpack more than the stored size", () => {
  for (const chars of [4_000, 2_000_000]) {
    const bomb = { ...encodeContent("x".repeat(chars)), size: 100 };

    expect(() => decodeContent(bomb)).toThrow();
  }
});

it("reads short texts that were compressed with zstd before", () => {
  const text = "line\n".repeat(100);

  expect(decodeContent({ size: text.length, enc: 1, data: zstdCompressSync(text) })).toBe(text);
});
