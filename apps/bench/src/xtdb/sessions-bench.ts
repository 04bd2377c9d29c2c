import { defaultPrices } from "@cm/context-log";
import type { ObjectStore } from "@cm/object-model";
import type { Recording } from "@cm/recordings";
import { layouts } from "@cm/render";
import { replayRecording } from "@cm/replay";
import { openXtdbStore } from "@cm/store-xtdb";
import { elapsedMs } from "../elapsed.ts";
import { compared, type Figure } from "../figure.ts";
import { sentBare } from "./bare-loop.ts";
import { withNodes } from "./bench-nodes.ts";
import type { CapturedCommit } from "./captured-transactions.ts";
import { capturingStore } from "./capturing-store.ts";

const sessionsAtOnce = 8;
/** Of the recording: so many replays of all of it would take longer than all other figures together. */
const eventsMax = 240;
/** The first is for warming up; the others count together, since the bare loops of one differ by a fifth. */
const rounds = 4;
/** Sessions that hold 0.7 of the bare loops' rate take this much longer for a commit. */
const goal = 1 / 0.7;

/** Eight sessions that write to one node at once, beside eight bare loops that send the same transactions at once. */
export function sessionsBench(whole: Recording): Promise<readonly Figure[]> {
  const recording: Recording = { ...whole, events: whole.events.slice(0, eventsMax) };
  return withNodes(3, async (captureNode, bareNode, storeNode) => {
    if (captureNode === undefined || bareNode === undefined || storeNode === undefined) return [];
    let [count, bareMs, sessionsMs] = [0, 0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const sessions = Array.from({ length: sessionsAtOnce }, (_, n) => `bench-${round}-${n}`);
      const bodies: (readonly string[])[] = [];
      // One after the other, since requests are told apart by nothing but their time.
      for (const session of sessions) {
        const commits: CapturedCommit[] = [];
        await replayed(captureNode.url, recording, session, (store) => capturingStore(store, commits));
        bodies.push(commits.map(({ body }) => body));
      }
      const bare = await elapsedMs(() => Promise.all(bodies.map((some) => sentBare(bareNode.url, some))));
      const own = await elapsedMs(() =>
        Promise.all(sessions.map((session) => replayed(storeNode.url, recording, session, (store) => store))),
      );
      if (round === 0) continue;
      count += bodies.reduce((sum, { length }) => sum + length, 0);
      bareMs += bare;
      sessionsMs += own;
    }
    return [
      compared(
        {
          id: `xtdb.sessions.${sessionsAtOnce}`,
          what: `time of a commit by ${sessionsAtOnce} sessions at once on one node, their own work included`,
          unit: "ms",
          goal,
        },
        sessionsMs / count,
        { what: `${sessionsAtOnce} bare loops with the same transactions`, value: bareMs / count },
      ),
    ];
  });
}

/** With a client of its own, as another process would have. */
async function replayed(
  url: string,
  recording: Recording,
  namespace: string,
  observed: (store: ObjectStore) => ObjectStore,
): Promise<void> {
  const store = openXtdbStore({ urls: url, namespace });
  await replayRecording(recording, {
    store: observed(store),
    layout: layouts.log,
    session: recording.id,
    prices: defaultPrices,
  });
  await store.close();
}
