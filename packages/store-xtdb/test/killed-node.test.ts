// @module-tag xtdb
// @module-tag long
// Verifies: F2: a node that is killed in the middle of writes loses no acknowledged commit, tears none and applies none twice.
import { once } from "node:events";
import { createServer } from "node:net";
import { isCmError, type ObjectStore } from "@cm/object-model";
import { connectXtdb } from "@cm/xtdb-client";
import { startNode, type XtdbNode } from "@cm/xtdb-node";
import { expect, it } from "vitest";
import { openXtdbStore } from "../src/index.ts";
import { toolcall } from "./support/documents.ts";
import { freshFolder } from "./support/folder.ts";
import { withNodes } from "./support/live-node.ts";
import { campaign, createRandom, type Random, runSeed } from "./support/random.ts";

const title = "loses, tears and repeats no commit";
const rounds = campaign ? 50 : 1;
const writers = 3;

/** What a writer knows of one of its commits. */
interface Outcome {
  readonly name: string;
  readonly acknowledged: boolean;
}

withNodes("an XTDB node that is killed in mid-write and started again", () => {
  it(title, async () => {
    const { seed, replay } = runSeed(title);
    const random = createRandom(seed);
    const folder = freshFolder();
    const port = await freePort();
    const client = connectXtdb({ urls: `http://127.0.0.1:${port}`, deadlineMs: 60_000 });
    const start = () => startNode({ quick: true, port, storage: { kind: "rocksdb", folder } });
    const outcomes: Outcome[] = [];
    let node = await start();
    for (let round = 0; round < rounds; round += 1) {
      outcomes.push(...(await writeUntilKilled(node, openXtdbStore({ client }), { round, random })));
      node = await start();
      await client.sync();
    }

    const store = openXtdbStore({ client });
    const there = await commitsIn(store, outcomes);

    const lost = outcomes.filter(({ name, acknowledged }) => acknowledged && there.get(name) !== "whole");
    const torn = [...there].filter(([, state]) => state === "torn");
    expect({ lost, torn }, replay).toEqual({ lost: [], torn: [] });
    const shared = await textsOf(store, "shared");
    expect(new Set(shared).size, replay).toBe(shared.length);
    expect(outcomes.filter(({ acknowledged }) => acknowledged).length).toBeGreaterThan(rounds);
    await client.close();
    await node.stop();
  });
});

/** Writers commit as fast as they can; the node dies at a random commit, once all writers are under way. */
async function writeUntilKilled(
  node: XtdbNode,
  store: ObjectStore,
  { round, random }: { round: number; random: Random },
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const killAt = writers + random.below(40);
  const spin = random.below(3_000);
  let killed: Promise<void> | undefined;
  const write = async (writer: number) => {
    for (let n = 0; killed === undefined; n += 1) {
      const name = `round ${round} writer ${writer} commit ${n}`;
      const commit = store.commit(writesOf(name), { requestId: name });
      outcomes.push({ name, acknowledged: await acknowledged(commit) });
      if (outcomes.length >= killAt) killed ??= immediately(spin).then(() => node.kill());
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  await killed;
  return outcomes;
}

/** Lets the other writers get some way into their next commit. */
async function immediately(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
}

async function acknowledged(commit: Promise<unknown>): Promise<boolean> {
  try {
    await commit;
    return true;
  } catch (error) {
    if (isCmError(error, "store/unavailable") || isCmError(error, "store/unknown-outcome")) return false;
    throw error;
  }
}

/** Three documents that belong together, one of them a version of an object that all commits share. */
function writesOf(name: string) {
  const ids = [`${name} a`, `${name} b`, "shared"];
  return ids.map((id) => ({ document: toolcall(id, `${name} `.repeat(100)), expect: "any" as const }));
}

async function commitsIn(store: ObjectStore, outcomes: readonly Outcome[]) {
  const shared = new Set(await textsOf(store, "shared"));
  const found = await store.getMany(outcomes.flatMap(({ name }) => [`${name} a`, `${name} b`]));
  return new Map(
    outcomes.map(({ name }) => {
      const parts = [found.has(`${name} a`), found.has(`${name} b`), shared.has(`${name} `.repeat(100))];
      const count = parts.filter(Boolean).length;
      return [name, count === 3 ? "whole" : count === 0 ? "absent" : "torn"] as const;
    }),
  );
}

async function textsOf(store: ObjectStore, id: string): Promise<readonly (string | null | undefined)[]> {
  const texts: (string | null | undefined)[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await store.history(id, { documents: true, ...(cursor === undefined ? {} : { cursor }) });
    texts.push(...page.versions.map(({ document }) => document?.content));
    cursor = page.next;
  }
  return texts;
}

/** The node comes back under the same URL. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
