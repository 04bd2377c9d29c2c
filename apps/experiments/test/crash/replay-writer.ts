// A process that replays a recording into a session, from the step that it has on, until it is killed or done:
// node replay-writer.ts FILE RECORDING SESSION LAYOUT here|thread. Prints each step that was acknowledged, with the
// sum of the request that a model would have got.
import { writeSync } from "node:fs";
import { defaultPrices } from "@cm/context-log";
import { readRecording } from "@cm/recordings";
import { layouts } from "@cm/render";
import { modelCalls, replayRecording } from "@cm/replay";
import { openSqliteStore, openSqliteStoreInThread } from "@cm/store-sqlite";
import { sumOfRequest } from "./sum-of-request.ts";

const [path = "", file = "", session = "", layout = "log", where = "here"] = process.argv.slice(2);
const recording = await readRecording(file);
const store = where === "thread" ? await openSqliteStoreInThread({ path }) : openSqliteStore({ path });
const head = (await store.getMany([`session:${session}`])).get(`session:${session}`)?.document;
const steps = Number(head?.next_step ?? 0);
const rest = modelCalls(recording.events).slice(steps);
const events = rest.flatMap(({ before, answer, results }) => [...before, answer, ...results]);
let sum = "";

await replayRecording(
  { ...recording, events },
  {
    ...{ store, session, layout: layout === "ssot" ? layouts.ssot : layouts.log, prices: defaultPrices },
    dump: {
      add: (prompt) => {
        sum = sumOfRequest(prompt);
      },
    },
    onCall: async (done) => {
      writeSync(1, `${JSON.stringify({ step: steps + done - 1, sum })}\n`);
    },
  },
);
await store.close();
