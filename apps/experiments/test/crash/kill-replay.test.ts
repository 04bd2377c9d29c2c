// @module-tag process
// Verifies: F1, F14: a writer that replays a recording is killed; what was acknowledged is there, and is what was sent.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ObjectStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { generatedSession } from "@cm/replay/generated";
import { listSessions, openSession, rebuildPrompts } from "@cm/session";
import { verifyStore } from "@cm/session/verify";
import { openSqliteStore } from "@cm/store-sqlite";
import { createRandom, type KillMoment, type Random, runWriter } from "@cm/testkit";
import { expect, it } from "vitest";
import { inFolder } from "../support/command.ts";
import { sumOfRequest } from "./sum-of-request.ts";

const isCampaign = process.env.CM_CAMPAIGN === "1";
const kills = isCampaign ? 200 : 3;
const seed = Number(process.env.CM_SEED ?? Date.now() % 1_000_000);
const script = join(import.meta.dirname, "replay-writer.ts");
/** About as long as it takes to write a few steps. */
const spanMs = 60;

/** Real ones where a folder of them is named; else one made from the seed. */
function recordings(folder: string): readonly string[] {
  const corpus = process.env.CM_CORPUS;
  if (corpus !== undefined)
    return readdirSync(corpus)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(corpus, name));
  const made = join(folder, "made.jsonl");
  writeFileSync(made, generatedSession({ seed, calls: 40 }));
  return [made];
}

const title = `a replay that is killed ${kills} times loses no acknowledged step, and is one step ahead at most`;
const replay = `Repeat with: CM_SEED=${seed} npx vitest run --project @cm/experiments crash/kill-replay`;

it(title, () =>
  inFolder(async (folder) => {
    const random = createRandom(seed);
    const files = recordings(folder);
    const told = { kills: 0, acknowledged: 0, sessions: 0, beforeTheFirst: 0 };

    for (; told.kills < kills; told.sessions += 1) {
      const path = join(folder, `session-${told.sessions}.sqlite`);
      const life = { path, file: files[told.sessions % files.length] ?? "", n: told.sessions };
      const sums = new Map<number, string>();
      let steps = 0;
      for (let isDone = false; !isDone && told.kills < kills; ) {
        const { lines, exitCode, stderr } = await runWriter({
          script,
          args: argsOf(life),
          kill: momentOf(random, told.kills),
        });
        expect({ exitCode, stderr }, replay).toEqual({ exitCode: exitCode === 0 ? 0 : null, stderr: "" });
        isDone = exitCode === 0;
        for (const line of lines) {
          const { step, sum } = JSON.parse(line) as { readonly step: number; readonly sum: string };
          expect(sums.has(step), `${replay}: step ${step} was acknowledged twice`).toBe(false);
          sums.set(step, sum);
        }
        if (!isDone) told.kills += 1;
        if (lines.length === 0) told.beforeTheFirst += 1;

        const there = await stepsOf(path, sums);
        const newest = Math.max(steps, ...[...sums.keys()].map((step) => step + 1));
        expect(there, `${replay}: fewer steps than were acknowledged`).toBeGreaterThanOrEqual(newest);
        expect(there, `${replay}: more than one unacknowledged step`).toBeLessThanOrEqual(newest + 1);
        steps = there;
      }
      told.acknowledged += sums.size;
      rmSync(path, { force: true });
    }

    // Most kills hit a writer that writes.
    expect(told.beforeTheFirst, JSON.stringify(told)).toBeLessThan(kills / 2);
    expect(told.acknowledged, JSON.stringify(told)).toBeGreaterThan(kills);
    if (isCampaign) console.info(JSON.stringify(told));
  }),
);

function argsOf({ path, file, n }: { readonly path: string; readonly file: string; readonly n: number }) {
  return [path, file, `replayed-${n}`, n % 4 < 2 ? "log" : "ssot", n % 2 === 0 ? "here" : "thread"];
}

/** One of five before anything was acknowledged, at whatever it does then. */
function momentOf(random: Random, kills: number): KillMoment {
  return kills % 5 === 2
    ? { afterLines: 0, andMs: 300 + random.below(1_200) }
    : { afterLines: 1 + random.below(24), andMs: random.fraction() * spanMs };
}

/** How many steps are there, each with the request that was sent. */
async function stepsOf(path: string, sums: ReadonlyMap<number, string>): Promise<number> {
  // The next writer waits for nothing: neither for a lock nor for the lease of the killed one.
  const store = openSqliteStore({ path, busyTimeoutMs: 1 });
  const id = await sessionIn(store);
  const rebuilt: number[] = [];
  if (id !== undefined) {
    const opened = await openSession({ store, session: id, layout: layouts.log, rendererFor, tellResumed: false });
    await opened.abandon();
    for await (const { n, prompt, hash, recordedHash } of rebuildPrompts(store, id, rendererFor)) {
      expect(hash, `${replay}: step ${n}`).toBe(recordedHash);
      if (sums.has(n)) expect(sumOfRequest(prompt), `${replay}: step ${n}`).toBe(sums.get(n));
      rebuilt.push(n);
    }
  }
  const findings: unknown[] = [];
  for await (const finding of verifyStore(store)) findings.push(finding);
  await store.close();

  expect(findings, replay).toEqual([]);
  expect(rebuilt, replay).toEqual(rebuilt.map((_, place) => place));
  return rebuilt.length;
}

/** Undefined where it was killed before anything was written. */
async function sessionIn(store: ObjectStore): Promise<string | undefined> {
  for await (const { session } of listSessions(store)) return session;
  return undefined;
}
