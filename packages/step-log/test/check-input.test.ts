// Verifies: SSOT 3.7, T18: who asks for the past without types is told what a step, a session and an object are named by.
import { createMemoryStore, isCmError, type ObjectStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import {
  objectAt,
  objectLife,
  openPast,
  rebuildPrompt,
  rebuildPrompts,
  requestsOf,
  sessionAt,
  sessionsThatMet,
} from "../src/index.ts";

const canary = "canary-3b9e";

// biome-ignore lint/suspicious/noExplicitAny: What a caller without types can hand in.
type Anything = any;

const known = () => undefined;
const first = async (each: AsyncIterable<unknown>): Promise<unknown> =>
  (await each[Symbol.asyncIterator]().next()).value;

const stepCalls: Readonly<Record<string, (store: ObjectStore, step: Anything) => Promise<unknown>>> = {
  sessionAt,
  objectAt: (store, step) => objectAt(store, step, "f1"),
  rebuildPrompt: (store, step) => rebuildPrompt(store, step, known),
  requestsOf: (store, step) => first(requestsOf(store, step)),
};
const sessionCalls: typeof stepCalls = {
  openPast: (store, session) => openPast(store, session, known),
  objectLife: (store, session) => objectLife(store, { session, name: "f1" }, known),
  rebuildPrompts: (store, session) => first(rebuildPrompts(store, session, known)),
};
const objectCalls: typeof stepCalls = {
  objectAt: (store, object) => objectAt(store, { session: "s", n: 1 }, object),
  objectLife: (store, name) => objectLife(store, { session: "s", name }, known),
  sessionsThatMet: (store, object) => first(sessionsThatMet(store, object)),
};

const noText: readonly Anything[] = [undefined, null, 7, 7n, Symbol(canary), [canary], { id: canary }];
const noSteps: readonly Anything[] = [
  ...[undefined, null, 7, Symbol(canary)],
  ...[{ n: 1 }, { session: canary }, { session: [canary], n: 1 }],
  ...["1", 1n, null, Symbol(canary), { toString: () => canary }].map((n) => ({ session: canary, n })),
];

describe.each([
  ["step", stepCalls, noSteps],
  ["session", sessionCalls, noText],
  ["object", objectCalls, noText],
])("what names no %s", (_what, calls, wrong) => {
  it.each(Object.entries(calls))("is refused by %s, in a sentence without it", async (_name, call) => {
    for (const named of wrong) {
      const error: unknown = await call(createMemoryStore(), named).catch((thrown: unknown) => thrown);

      expect(isCmError(error, "session/invalid-input"), String(error)).toBe(true);
      expect(String(error)).toMatch(/ named by /);
      expect(String(error)).not.toContain(canary);
    }
  });
});

it("A number that no step has names a step that is not there.", async () => {
  for (const n of [-1, 1.5, Number.NaN, 7]) {
    await expect(sessionAt(createMemoryStore(), { session: "s", n })).rejects.toMatchObject({
      code: "session/not-found",
    });
  }
});
