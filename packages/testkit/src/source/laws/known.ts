import assert from "node:assert/strict";
import type { KnownState } from "@cm/object-model";
import { find, kindsOf, look, observe, putText, textOf } from "../asking.ts";
import type { SourceLaw } from "../source-case.ts";

export const known: readonly SourceLaw[] = [
  {
    id: "SRC-010",
    clause: "SSOT 5.6",
    title: "What is as it was known is unchanged, again and again, also where its content is withheld.",
    async holds(subject) {
      const bound = { contentBytesMax: 1_000 };
      const all = [
        await putText(subject, "a.txt", "text"),
        await putText(subject, "empty.txt", ""),
        await putText(subject, "large.txt", "x".repeat(1_001)),
        await subject.world.put("a.bin", Uint8Array.of(0xff, 0x00)),
      ];
      const states = (answers: Awaited<ReturnType<typeof observe>>): readonly KnownState[] =>
        answers.map((answer) => ("state" in answer ? JSON.parse(JSON.stringify(answer.state)) : {}));
      let before = states(
        await observe(
          subject,
          all.map((binding) => ({ binding })),
          bound,
        ),
      );

      for (let n = 0; n < 3; n += 1) {
        const again = await observe(
          subject,
          all.map((binding, i) => ({ binding, known: before[i] ?? {} })),
          bound,
        );
        assert.deepEqual(
          kindsOf(again),
          all.map(() => "unchanged"),
        );
        before = states(again);
      }
    },
  },
  {
    id: "SRC-011",
    clause: "F8",
    title: "A change of equal length right after a look is found.",
    async holds(subject) {
      const binding = await putText(subject, "a.txt", "text 0");
      let { state, sourceHash } = await find(subject, binding);

      for (let n = 1; n < 10; n += 1) {
        await putText(subject, "a.txt", `text ${n}`);
        const found = await find(subject, binding, state);
        assert.equal(textOf(found), `text ${n}`);
        assert.notEqual(found.sourceHash, sourceHash);
        ({ state, sourceHash } = found);
      }
    },
  },
  {
    id: "SRC-012",
    clause: "SSOT 5.11",
    title: "A known state that is old, another thing's or nonsense never makes a changed thing unchanged.",
    async holds(subject) {
      const binding = await putText(subject, "a.txt", "one");
      const other = await putText(subject, "b.txt", "two");
      const { state: old, sourceHash: oldHash } = await find(subject, binding);
      const { state: otherThen, sourceHash: otherHash } = await find(subject, other);
      await putText(subject, "a.txt", "six");
      const { state: otherNow } = await find(subject, other);
      const hints = ["", "0", "null", "\u0000", "[1,2,3]", '{"__proto__":1}', "x".repeat(100_000), "NaN", "*"];
      const states: readonly KnownState[] = [
        {},
        old,
        otherThen,
        otherNow,
        { sourceHash: oldHash },
        { ...otherThen, sourceHash: oldHash },
        { ...old, sourceHash: otherHash },
        ...hints.flatMap((hint) => [{ hint }, { hint, sourceHash: oldHash }, { hint, sourceHash: hint }]),
      ];

      for (const state of states) assert.equal(textOf(await find(subject, binding, state)), "six");

      assert.equal((await look(subject, binding, (await find(subject, binding)).state)).kind, "unchanged");
    },
  },
];
