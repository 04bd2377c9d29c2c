import type { Write } from "@cm/object-model";
import { openXtdbStore } from "@cm/store-xtdb";
import { elapsedMs } from "../elapsed.ts";
import { compared, type Figure } from "../figure.ts";
import { sessionWrites } from "../samples/session-writes.ts";
import { sentBare } from "./bare-loop.ts";
import { withNodes } from "./bench-nodes.ts";
import { capture } from "./captured-transactions.ts";

/** Sessions at once, and steps of each. */
const loads = [
  { sessions: 8, steps: 60 },
  { sessions: 32, steps: 20 },
] as const;

/** The first is for warming up. */
const rounds = 3;

const goal = 1 / 0.7;

/** Steps of sessions, each one commit, beside as many bare loops that send the same transactions: as `postgres.steps` there. */
export function stepRates(): Promise<readonly Figure[]> {
  return withNodes(3, async (captureNode, bareNode, storeNode) => {
    if (captureNode === undefined || bareNode === undefined || storeNode === undefined) return [];
    const figures: Figure[] = [];
    for (const { sessions, steps } of loads) {
      const times = { store: [] as number[], bare: [] as number[] };
      for (let round = 0; round < rounds; round += 1) {
        const names = Array.from({ length: sessions }, (_, n) => `rates-${sessions}-${round}-${n}`);
        const writes = await Promise.all(names.map((name) => sessionWrites(name, steps)));
        const bodies: string[][] = names.map(() => []);
        // One after the other, since requests are told apart by nothing but their time.
        for (const [n, name] of names.entries()) {
          await committed(captureNode.url, name, writes[n] ?? [], async (commit) => {
            bodies[n]?.push((await capture(commit)).body);
          });
        }
        const count = writes.flat().length;
        const bareMs = await elapsedMs(() => Promise.all(bodies.map((some) => sentBare(bareNode.url, some))));
        const storeMs = await elapsedMs(() =>
          Promise.all(names.map((name, n) => committed(storeNode.url, name, writes[n] ?? [], (commit) => commit()))),
        );
        if (round === 0) continue;
        times.store.push(storeMs / count);
        times.bare.push(bareMs / count);
      }
      figures.push(
        compared(
          {
            id: `xtdb.steps.${sessions}`,
            what: `commit of a step, ${sessions} sessions' steps at once on one node`,
            unit: "ms",
            goal,
          },
          Math.min(...times.store),
          { what: `${sessions} bare loops with the same transactions`, value: Math.min(...times.bare) },
        ),
      );
    }
    return figures;
  });
}

/** Each by a store of its own, as by another process. */
async function committed(
  url: string,
  namespace: string,
  steps: readonly (readonly Write[])[],
  each: (commit: () => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  const store = openXtdbStore({ urls: url, namespace });
  for (const [step, writes] of steps.entries()) await each(() => store.commit(writes, { requestId: `step ${step}` }));
  await store.close();
}
