import assert from "node:assert/strict";
import { bytesOf, find, kindsOf, look, observe, putText, textOf } from "../asking.ts";
import type { SourceLaw } from "../source-case.ts";

const canary = "canary-5d02";

export const absence: readonly SourceLaw[] = [
  {
    id: "SRC-013",
    clause: "SSOT 5.6",
    title: "What was removed and what never was is absent, whatever was known of it, until it is there again.",
    async holds(subject) {
      const { world } = subject;
      const removed = await putText(subject, "folder/removed.txt", "text");
      const never = await world.binding("folder/never.txt");
      const nowhere = await world.binding("no/such/folder/a.txt");
      await putText(subject, "folder/neighbour.txt", "text");
      const { state } = await find(subject, removed);
      await world.remove("folder/removed.txt");

      const gone = await observe(subject, [
        { binding: removed },
        { binding: removed, known: state },
        { binding: removed, known: { absent: true } },
        { binding: never },
        { binding: never, known: { absent: true } },
        { binding: nowhere },
      ]);
      assert.deepEqual(
        kindsOf(gone),
        gone.map(() => "absent"),
      );

      await putText(subject, "folder/removed.txt", "back");
      await putText(subject, "folder/never.txt", "new");
      assert.equal(textOf(await find(subject, removed, { absent: true })), "back");
      assert.equal(textOf(await find(subject, never, { absent: true })), "new");
    },
  },
  {
    id: "SRC-014",
    clause: "SSOT 3.6",
    title: "Out of reach is unreachable and never absent, in the same words for everything and without content.",
    async holds(subject) {
      const { world } = subject;
      const there = await putText(subject, `${canary}.txt`, canary);
      const removed = await putText(subject, "removed.txt", "text");
      const never = await world.binding("never.txt");
      await world.remove("removed.txt");
      const { state } = await find(subject, there);
      const elsewhere = await look(subject, await world.elsewhere());
      assert.equal(elsewhere.kind, "unreachable");

      await world.unreach();
      const answers = await observe(subject, [
        { binding: there },
        { binding: there, known: state },
        { binding: there, want: "existence" },
        { binding: there, known: state, want: "existence" },
        { binding: removed },
        { binding: never },
        { binding: never, want: "existence" },
      ]);

      const reasons = answers.map((answer) => (answer.kind === "unreachable" ? answer.reason : answer.kind));
      assert.deepEqual(
        kindsOf(answers),
        answers.map(() => "unreachable"),
      );
      assert.equal(new Set(reasons).size, 1, "The same reason has the same words.");
      assert.ok(!reasons.join().includes(canary), "A reason has no content and no name.");
    },
  },
  {
    id: "SRC-015",
    clause: "SSOT 3.6",
    title: "What is back in reach is as it was: nothing is remembered of the time between.",
    async holds(subject) {
      const { world } = subject;
      const kept = await putText(subject, "kept.txt", "kept");
      const removed = await putText(subject, "removed.txt", "text");
      await world.remove("removed.txt");
      const { state, sourceHash } = await find(subject, kept);

      for (let n = 0; n < 2; n += 1) {
        await world.unreach();
        assert.equal((await look(subject, kept, state)).kind, "unreachable");
        assert.equal((await look(subject, removed)).kind, "unreachable");
        await world.reach();

        const again = await find(subject, kept);
        assert.equal(textOf(again), "kept");
        assert.equal(again.sourceHash, sourceHash);
        assert.equal((await look(subject, kept, again.state)).kind, "unchanged");
        const before = await look(subject, kept, state);
        assert.ok(before.kind === "unchanged" || textOf(before) === "kept");
        assert.equal((await look(subject, removed)).kind, "absent");
      }
      const fresh = await world.put("removed.txt", bytesOf("fresh"));
      assert.equal(textOf(await find(subject, fresh, { absent: true })), "fresh");
    },
  },
  {
    id: "SRC-016",
    clause: "SSOT 5.6",
    title: "Whether a thing exists is told without its content, however large it is and whatever was known.",
    async holds(subject) {
      const { world } = subject;
      const text = await putText(subject, "folder/a.txt", "longer than the bound");
      const { state } = await find(subject, text);
      const there = [
        { binding: text },
        { binding: text, known: state },
        { binding: text, known: { absent: true } as const },
        { binding: await putText(subject, "empty.txt", "") },
        { binding: await world.put("a.bin", Uint8Array.of(0xff)) },
      ];
      await putText(subject, "removed.txt", "text");
      await world.remove("removed.txt");
      const gone = [{ binding: await world.binding("removed.txt") }, { binding: await world.binding("folder/no.txt") }];
      const requests = [...there, ...gone, { binding: await world.elsewhere() }];

      const answers = await observe(
        subject,
        requests.map((request) => ({ ...request, want: "existence" as const })),
        { contentBytesMax: 4 },
      );

      const folder = { binding: await world.binding("folder") };
      const inFile = { binding: await world.binding("folder/a.txt/b.txt") };
      const nothing = await observe(subject, [folder, inFile, { ...folder, want: "existence" }]);

      for (const { kind } of nothing) assert.ok(kind === "absent" || kind === "unreachable", "A folder is no thing.");
      assert.deepEqual(kindsOf(answers), [...there.map(() => "exists"), ...gone.map(() => "absent"), "unreachable"]);
      for (const answer of answers.slice(0, there.length)) assert.deepEqual({ ...answer }, { kind: "exists" });
    },
  },
];
