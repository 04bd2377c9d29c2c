import { defaultPrices } from "@cm/context-log";
import type { Recording } from "@cm/recordings";
import { layouts } from "@cm/render";
import { replayRecording } from "@cm/replay";
import { openXtdbStore } from "@cm/store-xtdb";
import { connectXtdb, type XtdbClient } from "@cm/xtdb-client";
import { compared, type Figure, median } from "../figure.ts";
import { BareLoop } from "./bare-loop.ts";
import { withNodes } from "./bench-nodes.ts";
import type { CapturedCommit } from "./captured-transactions.ts";
import { capturingStore } from "./capturing-store.ts";

/** The first is for warming up. */
const rounds = 3;

/** A real session's steps, each one commit, beside the same transactions sent by a bare loop. */
export function stepBench(recording: Recording): Promise<readonly Figure[]> {
  return withNodes(2, async (storeNode, bareNode) => {
    if (storeNode === undefined || bareNode === undefined) return [];
    const client = connectXtdb({ urls: storeNode.url });
    const bare = new BareLoop(bareNode.url);
    const steps: number[] = [];
    const bareSteps: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const commits = await replayed(client, recording, `bench-${round}`);
      const bareMs: number[] = [];
      for (const { body } of commits) bareMs.push(await bare.commit(body));
      if (round === 0) continue;
      steps.push(...commits.map(({ ms }) => ms));
      bareSteps.push(...bareMs);
    }
    await client.close();
    await bare.close();
    return [
      compared(
        { id: "xtdb.step", what: "commit of one step of a session, log on store-xtdb, median", unit: "ms", goal: 1.3 },
        median(steps),
        { what: "one bare submit + await of the same transaction", value: median(bareSteps) },
      ),
    ];
  });
}

async function replayed(
  client: XtdbClient,
  recording: Recording,
  namespace: string,
): Promise<readonly CapturedCommit[]> {
  const commits: CapturedCommit[] = [];
  const store = openXtdbStore({ client, namespace });
  await replayRecording(recording, {
    store: capturingStore(store, commits),
    layout: layouts.log,
    session: recording.id,
    prices: defaultPrices,
  });
  return commits;
}
