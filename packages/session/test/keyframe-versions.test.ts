// Verifies: SSOT 3.8, decisions 0094 and 0130: keyframes that were written before what left the prompt was told in few
// bytes, and before what stands in it had a document of its own.
import { type FlatState, type Key, type KeyframeState, omittedEntry } from "@cm/context-log/state";
import {
  createMemoryStore,
  isDocumentOf,
  type JsonValue,
  keyframeId,
  type ObjectStore,
  payloadOf,
  sealDocument,
  standingId,
} from "@cm/object-model";
import { layouts } from "@cm/render";
import { loadPath, loadRecent, logAfter, type PlannedKeyframe } from "@cm/step-log/load";
import { describe, expect, it, vi } from "vitest";
import { openSession, rebuildPrompt, rebuildPrompts, type Session } from "../src/index.ts";
import { type Finding, verifyStore } from "../src/verify.ts";
import { intercepted } from "./support/stores.ts";

/** Whether keyframes are written as they were before, and the requests that folded text until then. */
const before = vi.hoisted(() => {
  // Other test files of this process have loaded the session with the module as it is.
  vi.resetModules();
  return { isOn: true, folds: new Set<JsonValue>(), standsInKeyframe: true };
});

vi.mock("@cm/step-log/load", async (original) => {
  const load = await original<typeof import("@cm/step-log/load")>();
  return {
    ...load,
    plannedKeyframe: (...args: Parameters<typeof load.plannedKeyframe>) => {
      const planned = load.plannedKeyframe(...args);
      return before.standsInKeyframe ? planned && withStanding(planned) : planned;
    },
  };
});

/** What stands in the prompt was a field of the keyframe. */
function withStanding(planned: PlannedKeyframe): PlannedKeyframe {
  const { document, base, standing } = planned;
  if (base === undefined || standing === undefined) return planned;
  const payload = { ...payloadOf(document), standing: standing.standing } as Parameters<typeof sealDocument>[1];
  const sealed = sealDocument({ type: "keyframe", id: document["xt/id"] }, payload as never);
  return { document: sealed, base: { ...base, contentHash: sealed.content_hash }, standing: undefined };
}

vi.mock("@cm/context-log/state", async (original) => {
  const chain = await original<typeof import("@cm/context-log/state")>();
  return {
    ...chain,
    keyframeState: (flat: FlatState, base: Parameters<typeof chain.keyframeState>[1]) =>
      before.isOn ? asOfVersion1(flat, chain.keyframeState(flat, base)) : chain.keyframeState(flat, base),
  };
});

/** Entries that left with all their fields, every fold there ever was, and a count of zero. */
function asOfVersion1(flat: FlatState, state: KeyframeState): KeyframeState {
  const ids = flat.rows.objects.slice() as unknown as readonly (readonly [string, string])[];
  const idOf = (key: Key): string => (typeof key === "string" ? key : (ids[key]?.[1] ?? ""));
  for (const fold of flat.rows.folds.slice()) before.folds.add(fold);
  const omitted = (state.tables.omitted?.put ?? []).map((one) => {
    const { kind: _kind, at, ...fields } = omittedEntry(one[0] as number, one[1] as JsonValue, idOf);
    return [at, fields, "="] as const;
  });
  const left = ids.findIndex((_, place) => flat.tables.dropped.has(place));
  const zero = left < 0 ? [] : ([[left, 0, "="]] as const);
  return {
    ...state,
    version: 1,
    rows: { ...state.rows, folds: [0, [...before.folds]] },
    tables: {
      ...state.tables,
      ...(omitted.length === 0 ? {} : { omitted: { put: omitted } }),
      shown: { ...state.tables.shown, put: [...(state.tables.shown?.put ?? []), ...zero] },
    },
  };
}

const rendererFor = (layout: string) => (layout === layouts.log.renderer.layout ? layouts.log.renderer : undefined);
const settings = { prices: { read: 0.1, write: 1.25 }, headChars: 0 };
const open = (store: ObjectStore): Promise<Session> =>
  openSession({
    ...{ store, session: "s", layout: layouts.log, rendererFor, window: { bytesMax: 20_000 } },
    keyframeEverySteps: 10,
  });

describe("keyframes of version 1", () => {
  it("are opened, built on and verified", async () => {
    const store = createMemoryStore();
    await work(await open(store), 0, 105);
    expect(await versionOf(store, 99)).toBe(1);
    expect((await keyframeAt(store, 99)).standing).toBeDefined();
    expect(await lightPrompts(store, 90, 105)).toBeGreaterThan(5);
    expect(before.folds.size).toBeGreaterThan((await compared(store, 104)).folds);
    expect(await findings(store)).toEqual([]);

    Object.assign(before, { isOn: false, standsInKeyframe: false });
    await work(await open(store), 105, 125);

    expect(await versionOf(store, 119)).toBe(2);
    expect((await keyframeAt(store, 119)).standing).toBeUndefined();
    expect((await store.getMany([standingId({ session: "s", n: 119 })])).size).toBe(1);
    await compared(store, 124);
    expect(await findings(store)).toEqual([]);
    for await (const { hash, recordedHash } of rebuildPrompts(store, "s", rendererFor)) expect(hash).toBe(recordedHash);
  });
});

async function work(session: Session, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 1) {
    if (n % 7 === 0) await session.receive([{ role: "user", text: `Prompt ${n}.` }]);
    await session.assemble();
    const call = { callId: `call_${n}`, tool: "bash", args: { command: `run ${n} ${"x".repeat(120)}` } };
    await session.record({
      answer: { role: "assistant", text: `Answer to ${n}.`, calls: [call] },
      results: [{ role: "tool", callId: call.callId, text: `output of ${n}\n${"y".repeat(900)}`, failed: false }],
    });
  }
  await session.abandon();
}

/** From a keyframe and from the first step the same is known. */
async function compared(store: ObjectStore, n: number): Promise<{ readonly folds: number }> {
  const to = { session: "s", n };
  const render = async () => undefined;
  const recent = await loadRecent(store, to, { session: "s", ...settings });
  expect(recent.from).toBeDefined();
  const { state: quick } = await logAfter(recent, "s", { ...settings, render });
  const { state: slow } = await logAfter(await loadPath(store, to), "s", { ...settings, render });
  expect(quick.log).toEqual(slow.log);
  expect(quick.folds).toEqual(slow.folds);
  expect([...quick.shown].sort()).toEqual([...slow.shown].sort());
  expect([...quick.objects]).toEqual([...slow.objects]);
  expect([...quick.path]).toEqual([...slow.path]);
  return { folds: slow.folds.length };
}

async function versionOf(store: ObjectStore, n: number): Promise<number> {
  return JSON.parse((await keyframeAt(store, n)).state ?? "{}").version;
}

async function keyframeAt(store: ObjectStore, n: number) {
  const id = keyframeId({ session: "s", n });
  const document = (await store.getMany([id])).get(id)?.document;
  if (document === undefined || !isDocumentOf(document, "keyframe")) throw new Error("There is no keyframe.");
  return document;
}

/** How many past prompts are made of what stands alone: one keyframe is read, and none before it. */
async function lightPrompts(store: ObjectStore, from: number, to: number): Promise<number> {
  let light = 0;
  for (let n = from; n < to; n += 1) {
    const asked = new Set<string>();
    const counted = intercepted(store, {
      before: (method, [ids]) => {
        if (method === "getMany") for (const id of ids as readonly string[]) asked.add(id);
      },
    });
    const { hash, recordedHash } = await rebuildPrompt(counted, { session: "s", n }, rendererFor);
    expect(hash).toBe(recordedHash);
    if ([...asked].filter((id) => id.startsWith("keyframe:")).length === 1) light += 1;
  }
  return light;
}

async function findings(store: ObjectStore): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for await (const finding of verifyStore(store)) found.push(finding);
  return found;
}
