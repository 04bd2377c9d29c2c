// @module-tag xtdb
// @module-tag long
// Verifies: F1 (a step is all or nothing under kill -9), SSOT 1.4, 3.1, 3.6, 3.9 (every past prompt is rebuilt).
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { layouts, rendererFor } from "@cm/render";
import { openSession, rebuildPrompt, rebuildPrompts, sessionAt } from "@cm/session";
import { verifyStore } from "@cm/session/verify";
import { createRandom, type KillMoment, type Random, runWriter } from "@cm/testkit";
import { expect, it } from "vitest";
import { inFolder } from "../support/command.ts";
import { openShared, type SharedStore } from "../support/open-shared.ts";
import { withSharedStore } from "../support/stores.ts";
import { digestOf } from "./digest.ts";

const isCampaign = process.env.CM_CAMPAIGN === "1";
const kills = { SQLite: isCampaign ? 200 : 3, XTDB: isCampaign ? 50 : 2 };
/** About as long as it takes to write a few steps. */
const spanMs = { SQLite: 30, XTDB: 150 };
const seed = Number(process.env.CM_SEED ?? Date.now() % 1_000_000);
const script = join(import.meta.dirname, "writer.ts");

for (const kind of ["SQLite", "XTDB"] as const) {
  const title = `a session on ${kind} whose writer is killed ${kills[kind]} times (replay: CM_SEED=${seed} npx vitest run kill-writer)`;
  withSharedStore(kind, title, (use) => {
    it("is after each kill what it was after a completed step, no older than the newest acknowledged one", () =>
      use((shared) =>
        inFolder(async (folder) => {
          const random = createRandom(seed);
          const work = workFolder(folder);
          let acknowledged: Said = { step: -1, digests: new Map(), closing: undefined, isClosed: false };
          for (let kill = 0; kill < kills[kind]; kill += 1) {
            acknowledged = await runAndKill(shared, { work, random, kill, acknowledged });

            await compare(shared, acknowledged, random);
          }

          await checkAll(shared, acknowledged.step);
        }),
      ));
  });
}

/** What the writers said of the session, over all their lives. */
interface Said {
  /** The newest acknowledged step. */
  readonly step: number;
  readonly digests: ReadonlyMap<number, string>;
  /** What the session was before it was closed after that step, if it was. */
  readonly closing: string | undefined;
  /** That it was closed was acknowledged. */
  readonly isClosed: boolean;
}

type Line =
  | { readonly step: number; readonly digest: string }
  | { readonly closing: string }
  | { readonly isClosed: true };

interface Life {
  readonly work: string;
  readonly random: Random;
  readonly kill: number;
  readonly acknowledged: Said;
}

/** Lets a writer run for a random while. Every third is killed at any time, also before its first step. */
async function runAndKill(shared: SharedStore, { work, random, kill, acknowledged }: Life): Promise<Said> {
  const policy = kill % 2 === 0 ? "log" : "ssot";
  const moment: KillMoment =
    kill % 3 === 2
      ? { afterLines: 0, andMs: 200 + random.below(1_500) }
      : { afterLines: 1 + random.below(10), andMs: random.fraction() * spanMs[shared.kind] };
  const args = [shared.kind, shared.where, work, policy, `${seed + kill}`];
  const { lines, exitCode, stderr } = await runWriter({ script, args, kill: moment });
  expect({ exitCode, stderr }).toEqual({ exitCode: null, stderr: "" });
  const digests = new Map(acknowledged.digests);
  let { step, closing, isClosed } = acknowledged;
  for (const said of lines.map((line) => JSON.parse(line) as Line)) {
    if ("step" in said) {
      digests.set(said.step, said.digest);
      step = Math.max(step, said.step);
    }
    closing = "closing" in said ? said.closing : "isClosed" in said ? closing : undefined;
    isClosed = "isClosed" in said;
  }
  return { step, digests, closing, isClosed };
}

async function compare(shared: SharedStore, said: Said, random: Random): Promise<void> {
  const { step, digests, closing, isClosed } = said;
  const store = openShared(shared);
  const { newest, found, pendingMessages } = await reopened(shared);
  expect(newest).toBeGreaterThanOrEqual(step);
  // What came between the newest step and the close belongs to no step, and is there all the same.
  if (isClosed && newest === step) expect(pendingMessages).toBeGreaterThan(0);
  if (pendingMessages > 0) expect(found).toBe(closing);
  if (newest >= 0) {
    const past = await sessionAt(store, { session: "killed", n: newest });
    const completed = digestOf(past.wrapper, past.chat, past.objects);
    if (pendingMessages === 0) expect(found).toBe(completed);
    const { hash, recordedHash } = await rebuildPrompt(store, { session: "killed", n: newest }, rendererFor);
    expect(hash).toBe(recordedHash);
  }
  for (const n of new Set([step, random.below(step + 1)])) {
    if (!digests.has(n)) continue;
    const { wrapper, chat, objects } = await sessionAt(store, { session: "killed", n });
    expect(digestOf(wrapper, chat, objects), `step ${n}`).toBe(digests.get(n));
  }
  await store.close();
}

/** The session after opening it again, and its newest step. */
async function reopened(shared: SharedStore) {
  for (;;) {
    const newest = await newestStep(shared);
    const store = openShared(shared);
    const session = await openSession({
      store,
      layout: layouts.log,
      rendererFor,
      session: "killed",
      tellResumed: false,
    });
    const found = digestOf(session.wrapper(), session.chat(), await session.objects());
    const { pendingMessages } = session.opened;
    await session.abandon();
    await store.close();
    // What the killed writer had sent to a server may arrive a little later.
    if (newest === (await newestStep(shared))) return { newest, found, pendingMessages };
  }
}

/** The promises about the sets, every past prompt, and every document. */
async function checkAll(shared: SharedStore, acknowledged: number): Promise<void> {
  const store = openShared(shared);
  const { wrapper, chat } = await sessionAt(store, { session: "killed", n: await newestStep(shared) });
  const [index, pool] = [new Set(wrapper.session_index), new Set(wrapper.metadata_pool)];
  expect(wrapper.metadata_pool.filter((id) => !index.has(id))).toEqual([]);
  expect([...wrapper.active_set, ...wrapper.pinned_set].filter((id) => !pool.has(id))).toEqual([]);
  expect(chat.toolcall_refs.filter((id) => !index.has(id))).toEqual([]);
  const numbers: number[] = [];
  for await (const { n, hash, recordedHash } of rebuildPrompts(store, "killed", rendererFor)) {
    expect(hash, `prompt ${n}`).toBe(recordedHash);
    numbers.push(n);
  }
  expect(numbers.length).toBeGreaterThan(acknowledged);
  expect(numbers).toEqual(numbers.map((_, place) => place));
  const findings: unknown[] = [];
  for await (const finding of verifyStore(store)) findings.push(finding);
  expect(findings).toEqual([]);
  await store.close();
}

async function newestStep(shared: SharedStore): Promise<number> {
  const store = openShared(shared);
  const head = (await store.getMany(["session:killed"])).get("session:killed")?.document;
  await store.close();
  return Number(head?.next_step ?? 0) - 1;
}

function workFolder(folder: string): string {
  const work = join(folder, "work");
  for (let n = 0; n < 7; n += 1) {
    const path = join(work, `file-${n}.txt`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `file ${n}\n`.repeat(20));
  }
  return work;
}
