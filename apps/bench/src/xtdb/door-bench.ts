import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openXtdbStore } from "@cm/store-xtdb";
import { connectXtdb } from "@cm/xtdb-client";
import { engineTimes } from "@cm/xtdb-node";
import { compared, type Figure, median } from "../figure.ts";
import { sampleToolCall } from "../samples/sample-documents.ts";
import { BareLoop } from "./bare-loop.ts";
import { withFolder, withNodes } from "./bench-nodes.ts";
import { capture } from "./captured-transactions.ts";

const chars = 600;

/** Transactions of each size; the first half is for warming up. */
const batches = [
  { documents: 1, commits: 400 },
  { documents: 100, commits: 80 },
] as const;

/** The same transactions over HTTP and inside the engine's own Java process. */
export async function doorBench(): Promise<readonly Figure[]> {
  const bodies = await preparedBodies();
  const door = await withNodes(1, async (node) => {
    const bare = new BareLoop(node?.url ?? "");
    const times: number[] = [];
    for (const body of bodies) times.push(await bare.commit(body));
    await bare.close();
    return times;
  });
  const engine = await timesInEngine(bodies);
  let from = 0;
  return batches.map(({ documents, commits }) => {
    const [start, end] = [from + commits / 2, from + commits];
    from = end;
    return compared(
      {
        id: `xtdb.door.${documents}`,
        what: `submit + await of ${documents} documents by HTTP`,
        unit: "ms",
        goal: null,
      },
      median(door.slice(start, end)),
      { what: "the same inside the engine's JVM", value: median(engine.slice(start, end)) },
    );
  });
}

/** The requests of store-xtdb for such commits. */
function preparedBodies(): Promise<readonly string[]> {
  return withNodes(1, async (node) => {
    const client = connectXtdb({ urls: node?.url ?? "" });
    const store = openXtdbStore({ client });
    const bodies: string[] = [];
    let next = 0;
    for (const { documents, commits } of batches) {
      for (let count = 0; count < commits; count += 1) {
        const writes = Array.from({ length: documents }, (_, n) => sampleToolCall(next + n, chars));
        next += documents;
        const sent = await capture(() => store.commit(writes.map((document) => ({ document, expect: "absent" }))));
        bodies.push(sent.body);
      }
    }
    await client.close();
    return bodies;
  });
}

function timesInEngine(bodies: readonly string[]): Promise<readonly number[]> {
  return withFolder(async (folder) => {
    const file = join(folder, "transactions.edn");
    writeFileSync(file, bodies.map((body) => `${body}\n`).join(""));
    return await engineTimes(file, join(folder, "data"));
  });
}
