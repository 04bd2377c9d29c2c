import assert from "node:assert/strict";
import type { KnownState, SourceBinding } from "@cm/object-model";
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
    title: "A thousand requests in one batch are answered like one, and so are those with known states.",
    async holds(subject) {
      const { world } = subject;
      const texts = ["zero", "one", "two", "three", "four"];
      const all = [await world.elsewhere(), await world.binding("never.txt")];
      for (const [n, text] of texts.entries()) all.push(await putText(subject, `folder-${n % 2}/${n}.txt`, text));
      for (let n = 0; n < 7; n += 1) all.push(await world.binding(`gone/${n}.txt`));
      const asked = Array.from({ length: 1_000 }, (_, n) => (n * 5) % all.length);
      const states = new Map<number, KnownState>();
      const ask = async (some: readonly number[]): Promise<readonly string[]> => {
        const answers = await observe(
          subject,
          some.map((n) => ({ binding: all[n] as SourceBinding, known: states.get(n) ?? {} })),
        );
        for (const [i, answer] of answers.entries()) if ("state" in answer) states.set(some[i] ?? 0, answer.state);
        return answers.map((answer) => (answer.kind === "present" ? textOf(answer) : answer.kind));
      };

      const first = ["unreachable", "absent", ...texts];
      assert.deepEqual(
        await ask(asked),
        asked.map((n) => first[n] ?? "absent"),
      );
      await putText(subject, "folder-1/1.txt", "won");
      await world.remove("folder-0/2.txt");
      const later = ["unreachable", "absent", "unchanged", "won", "absent", "unchanged", "unchanged"];
      const some = asked.slice(0, 200);
      assert.deepEqual(
        await ask(some),
        some.map((n) => later[n] ?? "absent"),
      );
    },
  },
];
