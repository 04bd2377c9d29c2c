import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileStateStore, type Lineage, lineageTypes, openLineage } from "@cm/lineage";
import { openSqliteStore } from "@cm/store-sqlite";
import { absolute, type Figure, median } from "./figure.ts";

const conversations = 10_000;
const runs = 100;
const rounds = 5;

/** Lists and starts of `lineage` on one SQLite file that holds many conversations. */
export async function lineageBench(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "cm-bench-"));
  const path = join(folder, "lineage.sqlite");
  try {
    await fillConversations(path);
    const store = openSqliteStore({ path, types: lineageTypes });
    const states = createFileStateStore({ dataDir: join(folder, "states") });
    const lineage = await openLineage({ store, states });
    const pages = await listTimes(lineage, { customer: "c7", tags: ["t3"] }, 50);
    const large = await listTimes(lineage, { region: "eu" }, 1_000);
    const { started, ended } = await runTimes(lineage);
    await lineage.close();
    await store.close();
    const of = `of ${conversations.toLocaleString("en")} conversations`;
    return [
      absolute({ id: "lineage.list", what: `50 ${of}, by two metadata`, unit: "ms", goal: 50 }, pages),
      absolute({ id: "lineage.page", what: `1,000 ${of}, by one that half have`, unit: "ms", goal: 50 }, large),
      absolute({ id: "lineage.start", what: "start of a run in one of them, median", unit: "ms", goal: 20 }, [
        median(started),
      ]),
      absolute(
        {
          id: "lineage.commit",
          what: "commit of that run, with a state of 20 KB in a file, median",
          unit: "ms",
          goal: null,
        },
        [median(ended)],
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes a SQLite file with many conversations of one run each, told apart by their metadata. */
export async function fillConversations(path: string): Promise<void> {
  const store = openSqliteStore({ path, types: lineageTypes, synchronous: "normal" });
  const lineage = await openLineage({ store });
  const step = { step: { session: "bench", n: 0 }, basis: "bench" };
  for (let n = 0; n < conversations; n += 1) {
    const metadata = { customer: `c${n % 50}`, tags: [`t${n % 7}`, "all"], region: n % 2 === 0 ? "eu" : "us" };
    const { session_id } = await lineage.root({ input: `Question ${n}`, metadata });
    await lineage.commit(session_id, { status: "committed", state: step, output: "An answer." });
  }
  await lineage.close();
  await store.close();
}

async function listTimes(
  lineage: Lineage,
  metadata: Readonly<Record<string, unknown>>,
  limit: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    const page = await lineage.conversations({ status: "active", metadata, limit });
    times.push(performance.now() - started);
    if (page.conversations.length === 0) throw new RangeError("The list of the bench is empty.");
  }
  return times;
}

async function runTimes(lineage: Lineage): Promise<{ readonly started: number[]; readonly ended: number[] }> {
  const { conversations: some } = await lineage.conversations({ limit: 1 });
  const conversationId = some[0]?.conversation_id ?? "";
  const state = { message_history: Array.from({ length: 200 }, (_, n) => `message ${n} ${"x".repeat(90)}`) };
  const started: number[] = [];
  const ended: number[] = [];
  for (let n = 0; n < runs; n += 1) {
    const before = performance.now();
    const { session_id } = await lineage.continue({ conversationId, input: "And then?" });
    const between = performance.now();
    await lineage.commit(session_id, { status: "committed", state, output: "An answer." });
    started.push(between - before);
    ended.push(performance.now() - between);
  }
  return { started, ended };
}
