import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type RecordedEvent, readRecording } from "@cm/recordings";
import { type ModelCall, modelCalls } from "@cm/replay";
import { generatedContent } from "@cm/replay/generated";

/**
 * Model calls without an end: recorded sessions one behind the other, round and round, each round under call ids of its
 * own. `CM_RECORDINGS` names a folder of Claude Code's or Pi's session files; without it sessions are generated.
 */
export async function* chainedCalls(): AsyncGenerator<ModelCall> {
  const sessions = await recordedEvents(process.env.CM_RECORDINGS);
  for (let round = 0; ; round += 1) {
    for (const events of sessions) yield* paired(events.map((event) => inRound(event, round)));
  }
}

async function recordedEvents(folder: string | undefined): Promise<readonly (readonly RecordedEvent[])[]> {
  if (folder === undefined) {
    return [1, 2, 3].map((seed) => generatedContent({ seed, calls: 150, lines: 200 }).events);
  }
  const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return Promise.all(files.sort().map(async (name) => (await readRecording(join(folder, name))).events));
}

/** A recording may be cut or may have results that came late: here each call has its result right behind it, if any. */
function paired(events: readonly RecordedEvent[]): readonly ModelCall[] {
  const results = new Map(events.flatMap((event) => (event.kind === "result" ? [[event.callId, event] as const] : [])));
  const first = events.findIndex(({ kind }) => kind === "user");
  const said = events.slice(first).filter(({ kind }) => kind !== "result");
  return modelCalls(said).map(({ before, answer }) => ({
    before,
    answer,
    results: answer.calls.flatMap(({ id }) => results.get(id) ?? []),
  }));
}

function inRound(event: RecordedEvent, round: number): RecordedEvent {
  if (event.kind === "user") return event;
  if (event.kind === "result") return { ...event, callId: `${event.callId}r${round}` };
  return { ...event, thinking: [], calls: event.calls.map((call) => ({ ...call, id: `${call.id}r${round}` })) };
}
