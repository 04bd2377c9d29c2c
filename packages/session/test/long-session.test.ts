// @module-tag long
// Verifies: SSOT 3.6, decision 0094: what a session in a window reads when it is opened, and what it holds of texts and
// decisions, follows what its prompt shows, and not how long it went on.
import type { LogState } from "@cm/context-log/state";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { layouts } from "@cm/render";
import { loadRecent, logAfter } from "@cm/step-log/load";
import { beforeAll, describe, expect, it } from "vitest";
import { openSession, rebuildPrompt, type Session } from "../src/index.ts";
import { intercepted } from "./support/stores.ts";

const rendererFor = (layout: string) => (layout === layouts.log.renderer.layout ? layouts.log.renderer : undefined);
const settings = { prices: { read: 0.1, write: 1.25 }, headChars: 0 };
/** What stands in a window at one time is more than at another: the most of three moments counts. */
const short = [360, 410, 460];
const long = [1_880, 1_930, 1_980];

interface Measured {
  readonly opening: Reads;
  readonly past: Reads;
  readonly held: Readonly<Record<string, number>>;
}

/** Ids that were asked for: of keyframes, and all others. */
interface Reads {
  readonly keyframes: number;
  readonly others: number;
}

describe("a session in a small window", () => {
  const measured = new Map<number, Measured>();
  const most = (moments: readonly number[], of: (one: Measured) => number): number =>
    Math.max(...moments.map((n) => of(measured.get(n) ?? expect.unreachable("It was not measured."))));

  beforeAll(async () => {
    const store = createMemoryStore();
    const session = await opened(store);
    for (let n = 0; n <= Math.max(...long); n += 1) {
      if ([...short, ...long].includes(n)) measured.set(n, await measuredAt(store, n));
      await step(session, n);
    }
    await session.abandon();
  });

  it("reads as many documents when it is opened, however many steps it has", () => {
    // The keyframes of a chain, each of a hundred steps.
    expect(most(long, ({ opening }) => opening.keyframes)).toBe(19);
    expect(most(short, ({ opening }) => opening.others)).toBeGreaterThan(100);
    expect(most(long, ({ opening }) => opening.others)).toBeLessThan(
      most(short, ({ opening }) => opening.others) * 1.25,
    );
  });

  it("reads as many for a past prompt", () => {
    expect(most(long, ({ past }) => past.others)).toBeLessThan(most(short, ({ past }) => past.others) * 1.25);
  });

  it("holds as many texts, forms, folds and counts", () => {
    const held = (name: string) => (one: Measured) => one.held[name] ?? 0;
    expect(most(long, held("entries"))).toBeGreaterThan(10);
    expect(most(long, held("folds"))).toBeGreaterThan(0);
    for (const name of Object.keys(measured.get(360)?.held ?? {})) {
      const grown = most(long, held(name)) - most(short, held(name)) * 1.2;
      expect({ name, isFlat: grown <= 5 }).toEqual({ name, isFlat: true });
    }
  });
});

async function opened(store: ObjectStore): Promise<Session> {
  return openSession({ store, session: "s", layout: layouts.log, rendererFor, window: { bytesMax: 20_000 } });
}

async function step(session: Session, n: number): Promise<void> {
  if (n % 7 === 0) await session.receive([{ role: "user", text: `Prompt ${n}, about ${"work, ".repeat(60)}` }]);
  await session.assemble();
  const callId = `call_${n}`;
  await session.record({
    answer: {
      role: "assistant",
      text: `Answer to ${n}.`,
      calls: [{ callId, tool: "bash", args: { command: `run ${n} ${"x".repeat(120)}` } }],
    },
    results: [{ role: "tool", callId, text: `output of ${n}\n${"y".repeat(900)}`, failed: false }],
  });
}

async function measuredAt(store: ObjectStore, steps: number): Promise<Measured> {
  const opening = await reads(store, async (counted) => (await opened(counted)).abandon());
  const past = await reads(store, async (counted) => {
    const { hash, recordedHash } = await rebuildPrompt(counted, { session: "s", n: steps - 50 }, rendererFor);
    expect(hash).toBe(recordedHash);
  });
  const to = { session: "s", n: steps - 1 };
  const { state } = await logAfter(await loadRecent(store, to, { session: "s", ...settings }), "s", {
    ...settings,
    render: async () => undefined,
  });
  return { opening, past, held: heldBy(state) };
}

async function reads(store: ObjectStore, read: (counted: ObjectStore) => Promise<unknown>): Promise<Reads> {
  const count = { keyframes: 0, others: 0 };
  const counted = intercepted(store, {
    before: (method, [ids]) => {
      if (method !== "getMany" || !Array.isArray(ids)) return;
      for (const id of ids) count[`${id}`.startsWith("keyframe:") ? "keyframes" : "others"] += 1;
    },
  });
  await read(counted);
  return count;
}

/** Sizes of what is not one row for each step and each object: those are numbers, an id and a name. */
function heldBy(state: LogState): Measured["held"] {
  const { log, objects, sets, forms, formedAt, folds, shown, seenAt, origins, recorded, idle, keyframe } = state;
  const { rows, tables } = keyframe?.outline ?? expect.unreachable("There is no keyframe.");
  const outlined = Object.values(tables).map((one) => ("table" in one ? one.table.size : one.keys.length));
  return {
    entries: log.filter(({ kind }) => kind !== "omitted").length,
    objects: [...objects.values()].filter(({ inStore }) => inStore !== true).length,
    active: sets.active.size,
    requested: sets.requested.size,
    ...{ forms: forms.size, formedAt: formedAt.size, folds: folds.length, shown: shown.size, seenAt: seenAt.size },
    ...{ origins: origins.size, recorded: recorded.size, pool: Math.max(0, sets.pool.size - 1_000) },
    idle: Math.max(0, idle.size - 1_000),
    outline: outlined.reduce((sum, size) => sum + size, Object.keys(rows).length),
  };
}
