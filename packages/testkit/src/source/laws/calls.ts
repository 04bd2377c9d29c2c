import assert from "node:assert/strict";
import type { Observation, SourceBinding } from "@cm/object-model";
import { find, inTime, kindsOf, look, observe, putText, textOf, toldOf } from "../asking.ts";
import type { SourceLaw } from "../source-case.ts";

/** A look that was cut short may say that it does not know. It may not say anything wrong. */
function rightOrUnreachable(answer: Observation | undefined, text: string | undefined): void {
  if (answer?.kind === "unreachable") return;
  if (text === undefined) assert.equal(answer?.kind, "absent");
  else assert.equal(textOf(answer), text, toldOf(answer));
}

function deepFrozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(deepFrozen);
  return value;
}

/** Does to an answer what a careless caller might. */
function spoil(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    spoil(inner);
    if (typeof inner === "string") Reflect.set(value, key, "spoiled");
  }
}

/** A state may carry the time of the look. */
function withoutState(answer: Observation): object {
  return { ...answer, state: undefined };
}

export const calls: readonly SourceLaw[] = [
  {
    id: "SRC-017",
    clause: "SSOT 5.11",
    title: "A look that is given up or out of time ends soon, throws nothing, and says nothing wrong.",
    async holds(subject) {
      const texts = ["one", "two", "x".repeat(200_000), undefined];
      const all: SourceBinding[] = [];
      for (const [n, text] of texts.entries()) {
        const name = `folder/${n}.txt`;
        all.push(await (text === undefined ? subject.world.binding(name) : putText(subject, name, text)));
      }
      const requests = Array.from({ length: 100 }, (_, n) => ({ binding: all[n % 4] as SourceBinding }));
      const check = (answers: readonly Observation[]) => {
        for (const [n, answer] of answers.entries()) rightOrUnreachable(answer, texts[n % 4]);
      };

      check(await observe(subject, requests, { signal: AbortSignal.abort() }));
      check(await observe(subject, requests, { deadlineMs: 1 }));
      const later = new AbortController();
      const underWay = observe(subject, requests, { signal: later.signal });
      later.abort();
      check(await underWay);

      const after = await observe(subject, requests.slice(0, 4));
      assert.deepEqual(kindsOf(after), ["present", "present", "present", "absent"]);
    },
  },
  {
    id: "SRC-018",
    clause: "SSOT 5.11",
    title: "Answers are plain data of their own: spoiling one harms no other, and requests stay as they were.",
    async holds(subject) {
      const a = await putText(subject, "a.txt", "text");
      const binary = await subject.world.put("a.bin", Uint8Array.of(0xff));
      const never = await subject.world.binding("never.txt");
      const { state } = await find(subject, a);
      const requests = deepFrozen([
        { binding: { ...a } },
        { binding: { ...a } },
        { binding: { ...a }, known: { ...state } },
        { binding: { ...a }, known: { ...state } },
        { binding: { ...binary } },
        { binding: { ...binary } },
        { binding: { ...never }, known: { absent: true as const } },
        { binding: { ...never } },
        { binding: { ...(await subject.world.elsewhere()) } },
      ]);

      const answers = await observe(subject, requests);
      const copies = structuredClone(answers);

      assert.deepEqual(copies, answers);
      for (const n of [0, 2, 4]) {
        spoil(answers[n]);
        assert.deepEqual(answers[n + 1], copies[n + 1]);
      }
      assert.deepEqual((await observe(subject, requests)).map(withoutState), copies.map(withoutState));
    },
  },
  {
    id: "SRC-019",
    clause: "SSOT 5.11",
    title: "Twenty overlapping looks are each answered rightly.",
    async holds(subject) {
      const texts = new Map<string, string>();
      for (let n = 0; n < 8; n += 1) texts.set(`folder-${n % 3}/${n}.txt`, `text ${n}`.repeat(n * 400 + 1));
      const names = [...texts.keys(), "never.txt", "no/folder.txt"];
      const all: SourceBinding[] = [];
      for (const name of names) {
        const text = texts.get(name);
        all.push(await (text === undefined ? subject.world.binding(name) : putText(subject, name, text)));
      }
      const orders = Array.from({ length: 20 }, (_, from) => names.map((_, n) => (n * 3 + from) % names.length));

      const batches = await Promise.all(
        orders.map((order) =>
          observe(
            subject,
            order.map((n) => ({ binding: all[n] as SourceBinding })),
          ),
        ),
      );

      for (const [i, order] of orders.entries()) {
        const told = (batches[i] ?? []).map((answer) => (answer.kind === "present" ? textOf(answer) : answer.kind));
        assert.deepEqual(
          told,
          order.map((n) => texts.get(names[n] ?? "") ?? "absent"),
        );
      }
    },
  },
  {
    id: "SRC-020",
    clause: "SSOT 5.11",
    title: "A closed source answers that everything is unreachable, and can be closed again.",
    async holds(subject) {
      const { source, world } = subject;
      if (source.close === undefined) return;
      const there = await putText(subject, "a.txt", "text");
      const never = await world.binding("never.txt");
      const { state } = await find(subject, there);
      const underWay = observe(subject, [{ binding: there }, { binding: never }]);

      await inTime(source.close(), "The end of the source");
      await inTime(source.close(), "The second end of the source");

      const [first, second] = await underWay;
      rightOrUnreachable(first, "text");
      rightOrUnreachable(second, undefined);
      const after = await observe(subject, [
        { binding: there },
        { binding: there, known: state },
        { binding: there, want: "existence" },
        { binding: never },
        { binding: never, known: { absent: true } },
      ]);
      assert.deepEqual(
        kindsOf(after),
        after.map(() => "unreachable"),
      );
      assert.equal((await look(subject, there)).kind, "unreachable");
    },
  },
];
