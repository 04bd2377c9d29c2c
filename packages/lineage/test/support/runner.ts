// A process that runs agents, for tests of several: node runner.ts ROLE OWNER STORE STATES CONVERSATION, where STORE
// is a file, or the URL of a node and a namespace. It says what
// happened in lines of JSON and does what it is told by lines.
import { createInterface } from "node:readline";
import { isCmError } from "@cm/object-model";
import { openSqliteStore } from "@cm/store-sqlite";
import { openXtdbStore } from "@cm/store-xtdb";
import { createFileStateStore, lineageLimits, lineageTypes, openLineage } from "../../src/index.ts";

const [role = "", owner = "", path = "", dataDir = "", conversationId = ""] = process.argv.slice(2);
const [url = "", namespace = ""] = path.split(" ");
const store = url.startsWith("http:")
  ? openXtdbStore({ urls: [url], namespace, types: lineageTypes })
  : openSqliteStore({ path, types: lineageTypes });
const lineage = await openLineage({
  store,
  states: createFileStateStore({ dataDir }),
  owner,
  // A machine that stands still for a while ends no lease.
  leaseMs: lineageLimits.leaseMsMax,
});
const say = (said: object) => process.stdout.write(`${JSON.stringify(said)}\n`);
const end = { status: "committed", state: { context_state: "x".repeat(2_000) } } as const;

/** Starts so many runs at once, and stays. */
async function race(count: number): Promise<void> {
  const starts = Array.from({ length: count }, async () => {
    try {
      return { won: (await lineage.continue({ conversationId, input: "x" })).session_id };
    } catch (error) {
      return isCmError(error, "lineage/busy") ? { lost: error.data.running } : { fault: `${error}` };
    }
  });
  say({ starts: await Promise.all(starts) });
}

/** Runs turn after turn until it is killed, with a subagent beside each. */
async function work(): Promise<never> {
  for (;;) {
    const { session_id } = await lineage.continue({ conversationId, input: "x" });
    const scout = await lineage.subagent({ spawnedBy: session_id, name: "scout", input: "x" });
    say({ created: [session_id, scout.session_id] });
    await lineage.commit(scout.session_id, end);
    say({ committed: scout.session_id });
    await lineage.commit(session_id, end);
    say({ committed: session_id });
  }
}

say({ ready: true });
if (role === "work") await work();
for await (const line of createInterface({ input: process.stdin })) await race(Number(line));
