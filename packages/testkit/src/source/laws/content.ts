import assert from "node:assert/strict";
import { hostileTexts } from "../../random/texts.ts";
import { bytesOf, find, observe, present, putText, textOf } from "../asking.ts";
import type { SourceLaw } from "../source-case.ts";

/** Bytes that are not UTF-8: stray and cut sequences, an overlong NUL, a surrogate, a number past the last one. */
const notText: readonly (readonly number[])[] = [
  [0x61, 0xff],
  [0x61, 0xfe],
  [0x61, 0xc3],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
];

export const content: readonly SourceLaw[] = [
  {
    id: "SRC-006",
    clause: "SSOT 5.10",
    title: "Text is that of the bytes to the letter: byte order marks, line ends, NUL, and nothing at all.",
    async holds(subject) {
      const texts = ["", "\uFEFF", "\uFEFF\uFEFFtwo marks", "a\r\nb\rc\n", "no line end", "\n\n\n", ...hostileTexts];

      for (const text of texts) {
        const binding = await putText(subject, "a.txt", text);
        const found = await find(subject, binding);
        assert.equal(textOf(found), text);
        assert.equal(found.redactions ?? 0, 0);
      }
    },
  },
  {
    id: "SRC-007",
    clause: "SSOT 5.11",
    title: "Bytes that are not UTF-8 are withheld as binary, and each has a hash of its own.",
    async holds(subject) {
      const hashes = new Set<string>();

      for (const bytes of notText) {
        const found = await find(subject, await subject.world.put("a.bin", Uint8Array.from(bytes)));
        assert.deepEqual({ ...found.content }, { withheld: "binary" });
        hashes.add(found.sourceHash);
      }
      // What a decoder would make of the first two.
      hashes.add((await find(subject, await putText(subject, "a.bin", "a\uFFFD"))).sourceHash);

      assert.equal(hashes.size, notText.length + 1);
    },
  },
  {
    id: "SRC-008",
    clause: "SSOT 2.7",
    title: "A text over the bound is withheld as too large with its hash, and one of exactly the bound is read.",
    async holds(subject) {
      const exact = "h\u00E9".repeat(1_000);
      const bound = { contentBytesMax: bytesOf(exact).length };
      const small = await putText(subject, "small.txt", exact);
      const large = await putText(subject, "large.txt", `${exact}!`);
      const huge = await putText(subject, "huge.txt", `${exact}?${"x".repeat(300_000)}`);

      const answers = await observe(subject, [{ binding: large }, { binding: small }, { binding: huge }], bound);

      assert.equal(textOf(answers[1]), exact);
      for (const n of [0, 2]) assert.deepEqual({ ...present(answers[n]).content }, { withheld: "too_large" });
      assert.equal(new Set(answers.map((answer) => present(answer).sourceHash)).size, 3);
      const changed = await putText(subject, "large.txt", `${exact}?`);
      const [other] = await observe(subject, [{ binding: changed }], bound);
      assert.notEqual(present(other).sourceHash, present(answers[0]).sourceHash);
      assert.equal(textOf(await find(subject, large)), `${exact}?`);
    },
  },
  {
    id: "SRC-009",
    clause: "SSOT 2.2",
    title: "Equal bytes have equal source hashes at every look, and other bytes have another.",
    async holds(subject) {
      const hashOf = async (text: string) => (await find(subject, await putText(subject, "a.txt", text))).sourceHash;
      const texts = ["one\n", "two\n", "one\r\n", "\uFEFFone\n", "one", "one\n\n", "One\n", "e\u0301", "\u00E9", ""];

      const hashes = [];
      for (const text of texts) hashes.push(await hashOf(text));
      assert.equal(new Set(hashes).size, texts.length);

      const binding = await putText(subject, "a.txt", "one\n");
      assert.equal((await find(subject, binding)).sourceHash, hashes[0]);
      assert.equal((await find(subject, binding)).sourceHash, hashes[0]);
    },
  },
];
