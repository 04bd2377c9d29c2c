import { openXtdbStore } from "@cm/store-xtdb";
import { connectXtdb } from "@cm/xtdb-client";
import { compared, type Figure, median } from "../figure.ts";
import { sampleToolCall } from "../samples/sample-documents.ts";
import { BareLoop } from "./bare-loop.ts";
import { withNodes } from "./bench-nodes.ts";
import { type CapturedCommit, capture } from "./captured-transactions.ts";

/** Documents of about 1 KB. */
const chars = 600;

/** Documents of one commit, and commits of one round. */
const batches = [
  { documents: 1, commits: 60 },
  { documents: 10, commits: 40 },
  { documents: 100, commits: 20 },
  { documents: 500, commits: 8 },
] as const;

/** The first is for warming up. */
const rounds = 5;

/** 80 % of the bare loop's documents per second, as a ratio of times. */
const goal = 1 / 0.8;

interface Times {
  readonly store: number[];
  readonly bare: number[];
}

/**
 * Commits of store-xtdb beside a bare loop that submits the very same transactions, revisions, blobs and matches
 * included, to a node of its own. Round by round, so that both nodes are as warm.
 */
export function commitBench(): Promise<readonly Figure[]> {
  return withNodes(2, async (storeNode, bareNode) => {
    if (storeNode === undefined || bareNode === undefined) return [];
    const client = connectXtdb({ urls: storeNode.url });
    const bare = new BareLoop(bareNode.url);
    const store = openXtdbStore({ client, namespace: "bench" });
    const figures: Figure[] = [];
    let next = 0;
    for (const { documents, commits } of batches) {
      const times: Times = { store: [], bare: [] };
      for (let round = 0; round < rounds; round += 1) {
        const captured: CapturedCommit[] = [];
        for (let count = 0; count < commits; count += 1) {
          const writes = Array.from({ length: documents }, (_, n) => ({
            document: sampleToolCall(next + n, chars),
            expect: "absent" as const,
          }));
          next += documents;
          captured.push(await capture(() => store.commit(writes)));
        }
        const bareMs: number[] = [];
        for (const { body } of captured) bareMs.push(await bare.commit(body));
        if (round === 0) continue;
        times.store.push(...captured.map(({ ms }) => ms));
        times.bare.push(...bareMs);
      }
      figures.push(...figuresOf(documents, times));
    }
    await client.close();
    await bare.close();
    return figures;
  });
}

function figuresOf(documents: number, { store, bare }: Times): readonly Figure[] {
  const total = (times: readonly number[]) => times.reduce((sum, ms) => sum + ms, 0);
  const perSecond = (times: readonly number[]) => (1000 * documents * times.length) / total(times);
  const id = `xtdb.commit.${documents}`;
  return [
    compared(
      {
        id,
        what: `a document of 1 KB in commits of ${documents}; ${Math.round(perSecond(store))} documents/s`,
        unit: "ms",
        goal,
      },
      1000 / perSecond(store),
      { what: "bare submit + await of the same transactions", value: 1000 / perSecond(bare) },
    ),
    compared(
      {
        id: `${id}.latency`,
        what: `one commit of ${documents}, median (99 of 100: ${p99(store)} ms)`,
        unit: "ms",
        goal: null,
      },
      median(store),
      { what: `bare (99 of 100: ${p99(bare)} ms)`, value: median(bare) },
    ),
  ];
}

function p99(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round(10 * (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0)) / 10;
}
