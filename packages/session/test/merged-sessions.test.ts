// Verifies: SSOT 3.8 "Merged steps", decision 96: what two writers merged into one session before reads as it did.
import { readFileSync } from "node:fs";
import type { Renderer } from "@cm/context-log";
import { createMemoryStore, type ObjectDocument } from "@cm/object-model";
import { expect, it } from "vitest";
import { openSession, rebuildPrompts, sessionAt } from "../src/index.ts";
import { verifyStore } from "../src/verify.ts";
import { all } from "./support/all.ts";
import { runs } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog } from "./support/renderers.ts";

/** The commits of two clients, `a` and `b`, that wrote five steps each in turn, as they were when steps were merged. */
const recorded = readFileSync(`${import.meta.dirname}/fixtures/merged-session.jsonl`, "utf8");

/** The renderer as it was then: objects in the view had no spans. */
const rendererThen: Renderer = {
  ...openLog,
  render(view, decision) {
    const objects = [...view.objects].map(([id, { spans: _, ...object }]) => [id, object] as const);
    return openLog.render({ ...view, objects: new Map(objects) }, decision);
  },
};
const rendererFor = (layout: string) => (layout === openLog.layout ? rendererThen : undefined);

it("A session of merged steps is sound, and all its prompts are rebuilt.", async () => {
  const store = await merged();

  const rebuilt = await all(rebuildPrompts(store, "s", rendererFor));

  expect(await all(verifyStore(store))).toEqual([]);
  expect(rebuilt.map(({ n, hash, recordedHash }) => [n, hash === recordedHash])).toEqual(
    [1, 3, 5, 7, 9].map((n) => [n, true]),
  );
});

it("It opens with the sets of both writers, and goes on.", async () => {
  const store = await merged();

  const session = await open(store);
  const { session_index: index, pinned_set: pinned } = session.wrapper();
  await session.assemble();
  const receipt = await session.record(runs());

  expect(
    ["call a 0", "call b 0", "read /a.ts", "read /b.ts", "call a 4", "call b 4"].filter((id) => !index.includes(id)),
  ).toEqual([]);
  expect(pinned).toHaveLength(2);
  expect(receipt).toMatchObject({ n: 10 });
  expect(await all(verifyStore(store))).toEqual([]);
});

it("A step on the other writer's branch is found under its number.", async () => {
  const { chat, wrapper } = await sessionAt(await merged(), { session: "s", n: 8 });

  expect(chat.turns.flatMap((turn) => turn.user.map(({ text }) => text))).toEqual(["a 0", "a 1", "a 2", "a 3", "a 4"]);
  expect(wrapper.session_index).toContain("call b 0");
});

it("An object of the other writer that is erased leaves a mark where it was merged.", async () => {
  const store = await merged();
  await store.erase(["call a 0"], "a leaked key");

  const rebuilt = await all(rebuildPrompts(store, "s", rendererFor));

  expect(rebuilt.map(({ n, complete }) => [n, complete])).toEqual([[1, true], ...[3, 5, 7, 9].map((n) => [n, false])]);
});

it("An erased step of it keeps its own parent.", async () => {
  const store = await merged();
  await store.erase(["step:s:5", "step:s:4"], "a leaked key");

  expect((await all(rebuildPrompts(store, "s", rendererFor))).map(({ n }) => n)).toEqual([1, 3, 5, 7, 9]);
});

async function merged() {
  const store = createMemoryStore();
  for (const line of recorded.trimEnd().split("\n")) {
    const documents = JSON.parse(line) as readonly ObjectDocument[];
    await store.commit(documents.map((document) => ({ document, expect: "any" })));
  }
  return store;
}

function open(store: Awaited<ReturnType<typeof merged>>) {
  return openSession({ store, layout: { policy: quietPolicy, renderer: rendererThen }, rendererFor, session: "s" });
}
