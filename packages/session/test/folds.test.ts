// Verifies: SSOT 3.8: a session knows its folds, with when and why, also after it was resumed.
import type { ContextPolicy, PromptDecision } from "@cm/context-log";
import { createMemoryStore } from "@cm/object-model";
import { expect, it } from "vitest";
import { openSession } from "../src/index.ts";
import { result, runs, user } from "./support/messages.ts";
import { openLog } from "./support/renderers.ts";

/** Decides what is written for each step. */
const deciding = (decisions: Readonly<Record<number, PromptDecision>>): ContextPolicy => ({
  contract: "policy/1",
  name: "decides what is written",
  decide: ({ step }) => decisions[step] ?? {},
});

it("Each request that folded text is known with its time, cause, forms and reasons; what arrived shorter is no fold.", async () => {
  const reference = { form: "reference" } as const;
  const policy = deciding({
    2: { forms: { 2: { form: "sparse" } } },
    3: {
      forms: { 2: reference, 4: { form: "same", as: "2" } },
      fold: { cut: 2, reason: "rent" },
      reasons: { "output was read": ["2"] },
    },
    4: { forms: { 6: { form: "spans", head: 10, tail: 10 } } },
  });
  const store = createMemoryStore();
  const open = (now: number) =>
    openSession({
      ...{ store, sources: [], rendererFor: () => openLog, session: "s", layout: { policy, renderer: openLog } },
      now: () => now,
    });
  const session = await open(1_000);
  await session.receive([user("Go.")]);
  for (let call = 0; call < 5; call += 1) {
    await session.assemble();
    await session.record(runs(result(`c${call}`, `output ${call}`.repeat(40))));
  }

  const folds = session.folds();
  await session.close();

  expect(folds).toEqual([
    {
      ...{ step: 3, atMs: 1_000, cause: "rent", forms: { 2: reference } },
      reasons: { "output was read": ["2"] },
    },
    { step: 4, atMs: 1_000, cause: undefined, forms: { 6: { form: "spans", head: 10, tail: 10 } }, reasons: {} },
  ]);
  expect((await open(2_000)).folds()).toEqual(folds);
});
