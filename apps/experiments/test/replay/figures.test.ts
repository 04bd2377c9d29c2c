// @module-tag xtdb
// @module-tag long
// Verifies: F14 (same state, same bytes, on every store), SSOT 4.6 (billed input), the dump format.

import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultPrices } from "@cm/context-log";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { type Recording, readRecording } from "@cm/recordings";
import { layouts } from "@cm/render";
import { type ReplayFigures, replayRecording } from "@cm/replay";
import { generatedSession, writeGeneratedRecording } from "@cm/replay/generated";
import { openSqliteStore } from "@cm/store-sqlite";
import { openXtdbStore } from "@cm/store-xtdb";
import { withXtdb } from "@cm/xtdb-node/vitest";
import { describe, expect, it } from "vitest";
import { PromptDump } from "../../src/replay/prompt-dump.ts";
import { inFolder } from "../support/command.ts";
import { type PlainEvent, recount } from "../support/recount.ts";
import { recountNeeds } from "../support/recount-needs.ts";

const campaign = process.env.CM_CAMPAIGN === "1";
const policies = Object.keys(layouts) as readonly (keyof typeof layouts)[];

describe.each(policies)("a generated recording under %s", (policy) => {
  it("costs and shows what its dump says", async () => {
    await inFolder(async (folder) => {
      const recording = await seeded(folder);
      const dump = join(folder, "dump.jsonl");

      const { totals, calls } = await replayInto(createMemoryStore(), recording, { policy, dump });
      const counted = recount(dump, plainEvents(recording));
      const { faultCost, dialogueShare, ...needs } = recountNeeds(counted.requests, recording.events);

      expect(counted.calls).toBe(calls.length);
      expect(totals).toMatchObject({ ...needs, peakChars: counted.peakChars });
      expect(totals.needed).toBeGreaterThan(20);
      expect(totals.cited).toBeGreaterThan(50);
      expect(totals.union).toBeGreaterThan(20);
      expect(totals.copied).toBeGreaterThan(20);
      expect(totals.cutOffShare).toBeCloseTo(counted.cutOffShare ?? Number.NaN, 6);
      expect(totals.billedShare).toBeCloseTo(counted.billedShare, 6);
      expect(totals.faultedShare).toBeCloseTo(counted.billedShare + faultCost / counted.plainCost, 6);
      expect(totals.sentShare).toBeCloseTo(counted.sentShare, 6);
      expect(totals.cachedShare).toBeCloseTo(counted.cachedShare, 6);
      expect(totals.breaksPer100).toBeCloseTo(counted.breaksPer100, 6);
      expect(totals.dialogueShare).toBeCloseTo(dialogueShare, 6);
    });
  });

  it("gives the same requests from memory and from SQLite", async () => {
    await inFolder(async (folder) => {
      const recording = await generated(folder, campaign ? 100 : 50);
      const sqlite = openSqliteStore({ path: join(folder, "store.sqlite") });
      const [memoryDump, sqliteDump] = [join(folder, "memory.jsonl"), join(folder, "sqlite.jsonl")];

      await replayInto(createMemoryStore(), recording, { policy, dump: memoryDump });
      await replayInto(sqlite, recording, { policy, dump: sqliteDump });
      await sqlite.close();

      expect(readFileSync(sqliteDump).equals(readFileSync(memoryDump))).toBe(true);
    });
  });
});

withXtdb("a recording kept in XTDB", (address) => {
  it.each(policies)("gives the same requests as SQLite under %s", async (policy) => {
    await inFolder(async (folder) => {
      const recording = await generated(folder, campaign ? 30 : 10);
      const sqlite = openSqliteStore({ path: join(folder, "store.sqlite") });
      const xtdb = openXtdbStore({ ...address, namespace: `test-${randomUUID()}` });
      const [xtdbDump, sqliteDump] = [join(folder, "xtdb.jsonl"), join(folder, "sqlite.jsonl")];

      await replayInto(xtdb, recording, { policy, dump: xtdbDump });
      await replayInto(sqlite, recording, { policy, dump: sqliteDump });
      await Promise.all([xtdb.close(), sqlite.close()]);

      expect(readFileSync(xtdbDump).equals(readFileSync(sqliteDump))).toBe(true);
    });
  });
});

describe("the plain policy", () => {
  it("costs exactly the plain log", async () => {
    await inFolder(async (folder) => {
      const recording = await generated(folder, 100);

      const { totals } = await replayInto(createMemoryStore(), recording, { policy: "plain", dump: join(folder, "d") });

      expect(totals.billedShare).toBe(1);
      expect(totals.neededMet).toBe(totals.needed);
    });
  });
});

async function generated(folder: string, calls?: number): Promise<Recording> {
  const file = join(folder, "generated.jsonl");
  writeGeneratedRecording(file, calls);
  return readRecording(file);
}

async function seeded(folder: string): Promise<Recording> {
  const file = join(folder, "seeded.jsonl");
  writeFileSync(file, generatedSession({ seed: 7, calls: 80 }));
  return readRecording(file);
}

async function replayInto(
  store: ObjectStore,
  recording: Recording,
  { policy, dump }: { readonly policy: keyof typeof layouts; readonly dump: string },
): Promise<ReplayFigures> {
  const writer = new PromptDump(dump);
  const figures = await replayRecording(recording, {
    store,
    layout: layouts[policy],
    session: recording.id,
    prices: defaultPrices,
    dump: writer,
  });
  writer.keep();
  return figures;
}

/** Text and arguments of each event, in file order. */
function plainEvents({ events }: Recording): readonly PlainEvent[] {
  return events.map((event) => {
    const args = event.kind === "assistant" ? event.calls.map((call) => JSON.stringify(call.args)).join("") : "";
    return { kind: event.kind, text: event.text + args };
  });
}
