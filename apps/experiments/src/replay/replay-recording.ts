import type {
  ContextView,
  IncomingResult,
  IncomingUser,
  JsonObject,
  ObjectStore,
  Prices,
  PromptDecision,
} from "@cm/object-model";
import type { LayoutPreset } from "@cm/render";
import { openSession } from "@cm/session";
import { limits } from "../limits.ts";
import { PartLives, type Rewritten } from "../measure/part-lives.ts";
import { residentOf } from "../measure/resident.ts";
import { SessionMeasure } from "../measure/session-measure.ts";
import { rendererFor } from "../policies/renderer-for.ts";
import type { RecordedCall, RecordedResult, RecordedUser, Recording } from "../recordings/recording.ts";
import { LogPlaces } from "./log-places.ts";
import { type ModelCall, modelCalls } from "./model-calls.ts";
import type { PromptDump } from "./prompt-dump.ts";
import { type Lifetime, RecordedCache } from "./recorded-cache.ts";
import { absentFiles, type ReplayFiles } from "./replay-files.ts";
import type { CallFigures, PartLife, RunTotals } from "./run-result.ts";

export interface ReplayOptions {
  readonly store: ObjectStore;
  readonly preset: LayoutPreset;
  /** The session's id in the store. */
  readonly session: string;
  readonly prices: Prices;
  /** Default: the provider's cache never forgets. */
  readonly lifetime?: Lifetime | undefined;
  readonly dump?: PromptDump | undefined;
  /** Default: files that nobody can look at. Stays open: it was handed in. */
  readonly files?: ReplayFiles | undefined;
  /** Called after each model call; what it throws ends the replay. */
  readonly onCall?: (done: number, total: number) => Promise<void>;
}

export interface ReplayFigures {
  readonly calls: readonly CallFigures[];
  readonly parts: readonly PartLife[];
  readonly totals: RunTotals;
}

/** Drives a session through a recording, call by call, as the agent's harness would have. */
export async function replayRecording(recording: Recording, options: ReplayOptions): Promise<ReplayFigures> {
  const { store, preset, prices, lifetime = "never", dump, files = absentFiles(recording) } = options;
  const session = await openSession({
    store,
    ...preset,
    prices,
    rendererFor,
    session: options.session,
    systemPrompt: recording.systemPrompt,
    sources: [files.source],
    ...(files.redact === undefined ? {} : { redact: files.redact }),
    headChars: limits.headChars,
    owner: "replay",
  });
  const measure = new SessionMeasure({ prices, headChars: limits.headChars });
  const lives = new PartLives();
  const places = new LogPlaces();
  const caches = new RecordedCache(lifetime, prices);
  const incoming = incomingOf(files);
  const calls = modelCalls(recording.events);
  const figures: CallFigures[] = [];
  for (const [at, call] of calls.entries()) {
    await session.receive(await inOrder(call.before, incoming.before));
    const cache = caches.next(call);
    const assembled = performance.now();
    const prompt = await session.assemble({ cache });
    const assembleMs = performance.now() - assembled;
    dump?.add(prompt);
    for (const event of call.before) measure.add(event);
    const { missed, change, ...cost } = measure.request({ prompt, answer: call.answer, cache });
    const { log } = session.view();
    const missedParts = missed.map(({ line, place }) => missedPart(line, places.partOf(log, place, line)));
    const record = await incoming.record(call);
    const recorded = performance.now();
    const { decision } = await session.record(record);
    const recordMs = performance.now() - recorded;
    for (const event of [call.answer, ...call.results]) measure.add(event);
    const view = session.view();
    const rewritten = lives.request({ call: at, change, view, decision });
    figures.push({
      call: at,
      ...cost,
      resident: residentOf(prompt),
      ...decidedFigures(decision, rewritten, view),
      ...(missedParts.length === 0 ? {} : { missed: missedParts }),
      assembleMs,
      recordMs,
    });
    await options.onCall?.(at + 1, calls.length);
  }
  await session.pause();
  return { calls: figures, parts: lives.lives, totals: measure.totals() };
}

/** What a policy decided for one request. */
function decidedFigures(
  decision: PromptDecision,
  rewritten: Rewritten,
  { objects }: Pick<ContextView, "objects">,
): Pick<CallFigures, "fold" | "reasons" | "recalled"> {
  const { fold, reasons = {}, recall = [] } = decision;
  const counts = Object.entries(reasons).map(([reason, parts]) => [reason, parts.length] as const);
  const names = recall.map((id) => {
    const { alias, path, tool } = objects.get(id) ?? {};
    return [alias ?? id, path ?? tool].filter((name) => name !== undefined).join(" ");
  });
  return {
    ...(fold === undefined ? {} : { fold: { ...fold, ...rewritten } }),
    ...(counts.length === 0 ? {} : { reasons: Object.fromEntries(counts) }),
    ...(names.length === 0 ? {} : { recalled: names }),
  };
}

function missedPart(line: string, part: string | undefined): { readonly line: string; readonly part?: string } {
  return part === undefined ? { line } : { line, part };
}

/** Recorded events as a harness hands them in. */
function incomingOf(files: ReplayFiles) {
  const callsById = new Map<string, RecordedCall>();
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
      return {
        answer: {
          role: "assistant" as const,
          text,
          thinking,
          calls: answer.calls.map(({ id, name, args }) => ({ callId: id, tool: name, args: args as JsonObject })),
          ...(model === undefined ? {} : { model }),
          ...(stopReason === undefined ? {} : { stopReason }),
        },
        results: await inOrder(results, result),
        ...(usage === undefined ? {} : { usage }),
      };
    },
  };
}

/** One after the other: with some files a later result is only true after an earlier one. */
async function inOrder<T, R>(values: readonly T[], task: (value: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (const value of values) done.push(await task(value));
  return done;
}
