// @module-tag long
// Verifies: SSOT 1.4, 3.1, 3.5, T4, T20: only what a session has met can move, and the promises about its sets hold.

import type { SetCommand, ViewSets } from "@cm/context-log";
import { ContextLog, checkInvariants, emptySets, emptyState, erasedObject } from "@cm/context-log/state";
import { createMemoryStore, type SetChanges } from "@cm/object-model";
import type { Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { openSession } from "../src/index.ts";
import { OpenStep } from "../src/step/open-step.ts";
import { MapSource } from "./support/map-source.ts";
import { result, runs, touch, user } from "./support/messages.ts";
import { restlessPolicy } from "./support/policies.ts";
import { openLog, openSets } from "./support/renderers.ts";
import { forSeeds } from "./support/seeds.ts";

const file = "test/invariants.test.ts";
const actions = ["activate", "deactivate", "pin", "unpin", "show", "hide"] as const;
const own = ["call_1", "call_2", "call_3", "0".repeat(64), "1".repeat(64)];
const strange = [
  "call_1@other",
  "2".repeat(64),
  "session:s",
  "chat:s",
  "system_prompt:s",
  "step:s:0",
  "keyframe:s:0",
  "lease:s",
  "__proto__",
  "constructor",
  "prototype",
  "hasOwnProperty",
  "toString",
  "",
  " call_1",
];

describe("random commands", () => {
  it.each(["sets", "rendered"] as const)(
    "move only what the session has met, and break no promise, where active means %s",
    async (residency) => {
      await forSeeds({ short: 1_000, long: 50_000, file }, (random) => {
        const log = logWithObjects();
        const { state } = log;
        const step = new OpenStep(log, residency);

        for (let n = 0; n < 20; n += 1) {
          const id = random.chance(0.4) ? random.pick(strange) : random.pick(own);
          const before = asText(state.sets);
          const outcome = step.command({ event: random.pick(actions), id });

          // One assertion for many facts: at this number of commands they would be most of the time.
          const isOwn = own.includes(id);
          const moved = asText(state.sets) !== before;
          const faults = [
            !isOwn && !("refused" in outcome) && "a strange id was accepted",
            (!isOwn || "refused" in outcome) && moved && "a refusal moved something",
            ...brokenPromises(state.sets, own),
          ].filter(Boolean);
          if (faults.length > 0) expect.fail(faults.join(", "));
        }
      });
    },
  );
});

describe.each([openLog, openSets])("a session under $layout beside another one", (renderer) => {
  it("never moves or shows what only the other one met", async () => {
    await forSeeds({ short: 8, long: 2_000, file }, async (random, seed) => {
      const store = createMemoryStore();
      const source = new MapSource();
      source.files.set("/shared", "canary of both");
      const sessions = await Promise.all(
        ["s", "other"].map((session) =>
          openSession({ store, layout: { policy: restlessPolicy(seed), renderer }, sources: [source], session }),
        ),
      );

      for (let n = 0; n < 12; n += 1) {
        for (const session of sessions) {
          await session.receive([user(`canary of ${session.session}`)]);
          const met = sessions.flatMap((one) => one.wrapper().session_index);
          for (let c = 0; c < 3; c += 1) await session.command(randomCommand(random, [...met, ...strange]));
          const prompt = await session.assemble();
          await session.command(randomCommand(random, [...met, "t1"]));
          await session.record(randomStep(random, session.session));

          const foreign = session.session === "s" ? "canary of other" : "canary of s\\b";
          expect(JSON.stringify(prompt)).not.toMatch(new RegExp(foreign));
          expect(brokenPromises(session.view().sets, session.wrapper().session_index)).toEqual([]);
        }
      }
      const [first, second] = sessions.map((session) => new Set(session.wrapper().session_index));
      const shared = [...(first ?? [])].filter((id) => second?.has(id));
      expect(shared.filter((id) => !/^[0-9a-f]{64}$/.test(id))).toEqual([]);
    });
  });
});

describe("a command on sets that are broken already", () => {
  it("is stopped before it changes anything", () => {
    const log = logWithObjects();
    const { state } = log;
    log.apply({ event: "moved", changes: { pool: { removed: ["call_1"] } } });
    const step = new OpenStep(log, "sets");

    const command = () => step.command({ event: "unpin", id: "call_1" });
    log.apply({ event: "moved", changes: { pinned: { added: ["call_1"] } } });

    expect(command).toThrow(/A promise about the session's sets would break/);
    expect([...state.sets.pinned]).toEqual(["call_1"]);
  });
});

describe("the check of the promises", () => {
  const broken: readonly (readonly [string, Partial<ViewSets>])[] = [
    ["an active object outside the pool", { index: new Set(["x"]), active: new Set(["x"]) }],
    ["a pinned object outside the pool", { index: new Set(["x"]), pinned: new Set(["x"]) }],
    ["a pool object outside the index", { pool: new Set(["x"]) }],
    ["a dismissed object outside the index", { dismissed: new Set(["x"]) }],
    ["a requested object outside the index", { requested: new Set(["x"]) }],
  ];

  it.each(broken)("finds %s", (_what, sets) => {
    const check = () => checkInvariants({ ...emptySets(), ...sets }, { pool: { added: ["x"] } }, () => true);

    expect(check).toThrow(/A promise about the session's sets would break/);
  });

  it("finds what is neither file nor tool call in the index", () => {
    const check = () =>
      checkInvariants({ ...emptySets(), index: new Set(["x"]) }, { index: { added: ["x"] } }, () => false);

    expect(check).toThrow(/neither file nor tool call/);
  });

  it("finds an index that would shrink", () => {
    const changes: SetChanges = JSON.parse('{"index":{"removed":["x"]}}');

    expect(() => checkInvariants(emptySets(), changes, () => true)).toThrow(/the index would shrink/);
  });
});

function logWithObjects(): ContextLog {
  const state = emptyState("s", 0);
  for (const [place, id] of own.entries()) {
    state.objects.set(id, erasedObject({ id, alias: `t${place + 1}`, kind: "toolcall" }));
    state.sets.index.add(id);
    if (place % 2 === 0) state.sets.pool.add(id);
    if (place === 0) state.sets.active.add(id);
  }
  return ContextLog.of(state);
}

function brokenPromises(
  { index, pool, active, pinned, dismissed, requested }: ViewSets,
  met: readonly string[],
): readonly string[] {
  const outside = (sets: readonly ReadonlySet<string>[], of: ReadonlySet<string>) =>
    sets.some((set) => [...set].some((id) => !of.has(id)));
  return [
    index.size === met.length && met.every((id) => index.has(id)) ? "" : "the index is not what was met",
    outside([pool, dismissed, requested], index) ? "something is outside the index" : "",
    outside([active, pinned], pool) ? "something is outside the pool" : "",
  ].filter(Boolean);
}

function asText({ index, pool, active, pinned, dismissed, requested }: ViewSets): string {
  return own
    .map((id) => [index, pool, active, pinned, dismissed, requested].map((set) => (set.has(id) ? 1 : 0)).join(""))
    .join(" ");
}

function randomCommand(random: Random, ids: readonly string[]): SetCommand {
  return { action: random.pick(actions), id: random.pick(ids) };
}

function randomStep(random: Random, session: string) {
  const files = random.chance(0.3) ? [touch("/shared", "read", { startLine: 1 })] : [];
  return runs(result(random.pick(["call_1", "call_2", "call_1"]), `canary of ${session}`, { files }));
}
