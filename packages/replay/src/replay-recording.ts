import type { IncomingResult, IncomingUser, Layout, Prices, RenderedPrompt } from "@cm/context-log";
import { defined, type JsonObject, type ObjectStore } from "@cm/object-model";
import type { RecordedCall, RecordedResult, RecordedUser, Recording } from "@cm/recordings";
import { openSession, type Session } from "@cm/session";
import { CallRecorder, type ReplayFigures } from "./calls/call-recorder.ts";
import { type ModelCall, modelCalls } from "./calls/model-calls.ts";
import { type Lifetime, RecordedCache } from "./calls/recorded-cache.ts";
import { absentFiles, type ReplayFiles } from "./files/replay-files.ts";
import { limits } from "./limits.ts";
import { rendererFor } from "./policies/renderer-for.ts";

export interface ReplayOptions {
  readonly store: ObjectStore;
  readonly layout: Layout;
  /** The session's id in the store. */
  readonly session: string;
  readonly prices: Prices;
  /** Characters of system prompt and tools in each request. */
  readonly headChars?: number;
  /** Default: the provider's cache never forgets. */
  readonly lifetime?: Lifetime | undefined;
  /** Gets each request in turn. */
  readonly dump?: { add(prompt: RenderedPrompt): void } | undefined;
  /** Default: unreachable files. It stays open, because the caller owns it. */
  readonly files?: ReplayFiles | undefined;
  /** Called after each model call; what it throws ends the replay. */
  readonly onCall?: (done: number, total: number) => Promise<void>;
}

/** Drives a session through a recording, call by call, as the agent's harness would have. */
export async function replayRecording(recording: Recording, options: ReplayOptions): Promise<ReplayFigures> {
  const { prices, lifetime = "never", headChars = limits.headChars, dump, files = absentFiles(recording) } = options;
  const session = await sessionFor(recording, { ...options, headChars, files });
  const figures = new CallRecorder({ prices, headChars });
  const caches = new RecordedCache(lifetime, prices);
  const incoming = incomingOf(files, recording);
  const calls = modelCalls(recording.events);
  for (const [at, call] of calls.entries()) {
    await session.receive(await inOrder(call.before, incoming.before));
    const cache = caches.next(call);
    const assembled = performance.now();
    const prompt = await session.assemble({ cache });
    const assembleMs = performance.now() - assembled;
    dump?.add(prompt);
    figures.request(call, { prompt, cache, log: () => session.view().log });
    const record = await incoming.record(call);
    const recorded = performance.now();
    const { decision } = await session.record(record);
    const recordMs = performance.now() - recorded;
    figures.recorded(call, { decision, view: session.view(), assembleMs, recordMs });
    await options.onCall?.(at + 1, calls.length);
  }
  await session.close();
  return figures.figures;
}

function sessionFor(
  recording: Recording,
  {
    store,
    layout,
    prices,
    session,
    headChars,
    files,
  }: ReplayOptions & {
    readonly headChars: number;
    readonly files: ReplayFiles;
  },
): Promise<Session> {
  return openSession({
    ...{ store, layout, prices, session },
    rendererFor: (name) => rendererFor(name) ?? (name === layout.renderer.layout ? layout.renderer : undefined),
    systemPrompt: recording.systemPrompt,
    sources: [files.source, ...(files.furtherSources ?? [])],
    ...defined({ redact: files.redact }),
    headChars,
    owner: "replay",
  });
}

/** Recorded events as a harness hands them in. A call whose result the recording never has was interrupted, or the provider's. */
function incomingOf(files: ReplayFiles, { events }: Pick<Recording, "events">) {
  const callsById = new Map<string, RecordedCall>();
  const answered = new Set(events.flatMap((event) => (event.kind === "result" ? [event.callId] : [])));
  const result = async ({ callId, text, failed, attachments }: RecordedResult): Promise<IncomingResult> => {
    const call = callsById.get(callId);
    const touched = call === undefined ? [] : await files.touchesOf(call, { text, failed });
    return { role: "tool", callId, text, failed, attachments, files: touched };
  };
  const user = ({ text, attachments }: RecordedUser): IncomingUser => ({ role: "user", text, attachments });
  return {
    before: async (event: RecordedUser | RecordedResult) => (event.kind === "user" ? user(event) : result(event)),
    async record({ answer, results }: ModelCall) {
      for (const call of answer.calls) callsById.set(call.id, call);
      const { text, thinking, usage, model, stopReason } = answer;
      const unanswered = answer.calls.filter(({ id }) => !answered.has(id));
      return {
        answer: {
          role: "assistant" as const,
          text,
          thinking,
          calls: answer.calls.map(({ id, name, args }) => ({ callId: id, tool: name, args: args as JsonObject })),
          ...defined({ model, stopReason }),
        },
        results: [...(await inOrder(results, result)), ...unanswered.map(unknownResult)],
        ...defined({ usage }),
      };
    },
  };
}

const unknownResult = ({ id: callId, isOfProvider }: RecordedCall): IncomingResult => ({
  role: "tool",
  callId,
  text: null,
  failed: isOfProvider !== true,
});

/** One after the other: with some files a later result is only true after an earlier one. */
async function inOrder<T, R>(values: readonly T[], task: (value: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (const value of values) done.push(await task(value));
  return done;
}
