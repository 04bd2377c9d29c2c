import assert from "node:assert/strict";
import { find, kindsOf, observe, putText, textOf } from "../asking.ts";
import type { SourceLaw } from "../source-case.ts";

export const batches: readonly SourceLaw[] = [
  {
    id: "SRC-004",
    clause: "SSOT 5.11",
    title: "Each request is answered in its place: of every kind, the same one twice, and none at all.",
    async holds(subject) {
      const { world } = subject;
      const a = await putText(subject, "a.txt", "first");
      const b = await putText(subject, "folder/b.txt", "second");
      const never = await world.binding("folder/never.txt");
      const elsewhere = await world.elsewhere();
      assert.deepEqual(await observe(subject, []), []);
      const { state: known } = await find(subject, a);

      const answers = await observe(subject, [
        { binding: never },
        { binding: b },
        { binding: a },
        { binding: elsewhere },
        { binding: b },
        { binding: a, known },
        { binding: b, want: "existence" },
        { binding: a },
      ]);

      assert.deepEqual(kindsOf(answers), [
        "absent",
        "present",
        "present",
        "unreachable",
        "present",
        "unchanged",
        "exists",
        "present",
      ]);
      assert.deepEqual(
        [1, 2, 4, 7].map((n) => textOf(answers[n])),
        ["second", "first", "second", "first"],
      );
    },
  },
  {
    id: "SRC-005",
    clause: "SSOT 5.11",
    title: "A thousand requests in one batch are answered like one.",
    async holds(subject) {
      const { world } = subject;
      const texts = ["zero", "one", "two", "three", "four"];
      const there = await Promise.all([world.elsewhere(), world.binding("never.txt")]);
      for (const [n, text] of texts.entries()) there.push(await putText(subject, `folder-${n % 2}/${n}.txt`, text));
      const gone = await Promise.all(Array.from({ length: 7 }, (_, n) => world.binding(`gone/${n}.txt`)));
      const all = [...there, ...gone];
      const asked = Array.from({ length: 1_000 }, (_, n) => (n * 5) % all.length);

      const answers = await observe(
        subject,
        asked.map((n) => ({ binding: all[n] as (typeof all)[number] })),
      );

      const told = answers.map((answer) => (answer.kind === "present" ? textOf(answer) : answer.kind));
      const expected = ["unreachable", "absent", ...texts, ...gone.map(() => "absent")];
      assert.deepEqual(
        told,
        asked.map((n) => expected[n]),
      );
    },
  },
];
