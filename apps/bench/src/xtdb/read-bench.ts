import { openXtdbStore } from "@cm/store-xtdb";
import { connectXtdb } from "@cm/xtdb-client";
import { absolute, type Figure } from "../figure.ts";
import { sampleToolCall } from "../samples/sample-documents.ts";
import { withNodes } from "./bench-nodes.ts";
import { capture } from "./captured-transactions.ts";

const chars = 600;
const objects = 10_000;
const commitDocuments = 500;
const rounds = 4;

/** Reading many objects and many histories at once: how long, and with how many requests. */
export function readBench(): Promise<readonly Figure[]> {
  return withNodes(1, async (node) => {
    if (node === undefined) return [];
    const client = connectXtdb({ urls: node.url });
    const store = openXtdbStore({ client });
    const ids: string[] = [];
    for (let from = 0; from < objects; from += commitDocuments) {
      const documents = Array.from({ length: commitDocuments }, (_, n) => sampleToolCall(from + n, chars));
      ids.push(...documents.map((document) => String(document["xt/id"])));
      await store.commit(documents.map((document) => ({ document, expect: "absent" })));
    }
    const runs = async (work: () => Promise<number>, wanted: number) => {
      const captured = [];
      for (let round = 0; round < rounds; round += 1) {
        captured.push(
          await capture(async () => {
            const got = await work();
            if (got !== wanted) throw new Error(`${wanted} were asked for and ${got} came.`);
          }),
        );
      }
      return { ms: captured.map(({ ms }) => ms), requests: captured.map(({ requests }) => requests) };
    };
    const thousand = ids.slice(0, 1000);
    const small = await runs(async () => (await store.getMany(thousand)).size, thousand.length);
    const large = await runs(async () => (await store.getMany(ids)).size, ids.length);
    const histories = await runs(async () => (await client.histories(thousand)).size, thousand.length);
    await client.close();
    return [
      absolute({ id: "xtdb.read.1000", what: "getMany of 1,000 objects of 1 KB", unit: "ms", goal: null }, small.ms),
      absolute({ id: "xtdb.read.10000", what: "getMany of 10,000 objects of 1 KB", unit: "ms", goal: null }, large.ms),
      absolute({ id: "xtdb.read.requests", what: "requests of that", unit: "requests", goal: 12 }, large.requests),
      absolute({ id: "xtdb.histories.1000", what: "1,000 histories", unit: "ms", goal: null }, histories.ms),
      absolute(
        { id: "xtdb.histories.requests", what: "requests of that", unit: "requests", goal: 1 },
        histories.requests,
      ),
    ];
  });
}
