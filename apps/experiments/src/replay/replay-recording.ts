import type { IncomingResult, IncomingUser, JsonObject, ObjectStore, Prices, RenderedPrompt } from "@cm/object-model";
import { CostMeter, type LayoutPreset } from "@cm/render";
import { openSession, type Session } from "@cm/session";
import { limits } from "../limits.ts";
import { countNeeded } from "../measure/needed.ts";
import { residentOf } from "../measure/resident.ts";
import { rendererFor } from "../policies/renderer-for.ts";
import type { RecordedCall, RecordedResult, RecordedUser, Recording } from "../recordings/recording.ts";
import { type ModelCall, modelCalls } from "./model-calls.ts";
import type { PromptDump } from "./prompt-dump.ts";
import { absentFiles, type ReplayFiles } from "./replay-files.ts";
import type { CallFigures, RunTotals } from "./run-result.ts";

export interface ReplayOptions {
  readonly store: ObjectStore;
  readonly preset: LayoutPreset;
  /** The session's id in the store. */
  readonly session: string;
  readonly prices: Prices;
  readonly dump?: PromptDump | undefined;
  /** Default: files that nobody can look at. Stays open: it was handed in. */
  readonly files?: ReplayFiles | undefined;
  /** Called after each model call; what it throws ends the replay. */
  readonly onCall?: (done: number, total: number) => Promise<void>;
}

export interface ReplayFigures {
  readonly calls: readonly CallFigures[];
  readonly totals: RunTotals;
}

/** Drives a session through a recording, call by call, as the agent's harness would have. */
export async function replayRecording(recording: Recording, options: ReplayOptions): Promise<ReplayFigures> {
  const { store, preset, prices, dump, files = absentFiles(recording) } = options;
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
  const meter = new CostMeter({ prices, headChars: limits.headChars });
  const incoming = incomingOf(files);
  const calls = modelCalls(recording.events);
  const figures: CallFigures[] = [];
  const needed = { needed: 0, met: 0 };
  for (const [at, call] of calls.entries()) {
    await session.receive(await inOrder(call.before, incoming.before));
    const assembled = performance.now();
    const prompt = await session.assemble();
    const assembleMs = performance.now() - assembled;
    dump?.add(prompt);
    const count = countNeeded(call.answer, session.view().log, prompt);
    needed.needed += count.needed;
    needed.met += count.met;
    const cost = meteredCall(meter, prompt);
    const plainBefore = session.view().ledger;
    const record = await incoming.record(call);
    const recorded = performance.now();
    const { decision } = await session.record(record);
    const recordMs = performance.now() - recorded;
    figures.push({
      call: at,
      ...cost,
      ...plainCall(session, plainBefore),
      resident: residentOf(prompt),
      ...(decision.fold === undefined ? {} : { fold: decision.fold }),
      assembleMs,
      recordMs,
    });
    await options.onCall?.(at + 1, calls.length);
  }
  await session.pause();
  return { calls: figures, totals: totalsOf(meter, figures, needed) };
}

/** What one request costs, and the whole prompt's size. */
function meteredCall(
  meter: CostMeter,
  prompt: RenderedPrompt,
): Pick<CallFigures, "sentChars" | "cachedChars" | "billed"> {
  const before = meter.totals;
  const billed = meter.add(prompt);
  return { sentChars: meter.totals.sent - before.sent, cachedChars: meter.totals.cached - before.cached, billed };
}

/** What the same request costs in the plain log, from the session's ledger. */
function plainCall(
  session: Session,
  before: { readonly plainBilled: number },
): Pick<CallFigures, "plainSentChars" | "plainBilled"> {
  const { plainChars, plainBilled, headChars } = session.view().ledger;
  return { plainSentChars: plainChars + headChars, plainBilled: plainBilled - before.plainBilled };
}

function totalsOf(
  meter: CostMeter,
  calls: readonly CallFigures[],
  { needed, met }: { readonly needed: number; readonly met: number },
): RunTotals {
  const { billed, sent, cached, peak, breaks, requests } = meter.totals;
  const plainSent = calls.reduce((sum, call) => sum + call.plainSentChars, 0);
  const plainBilled = calls.reduce((sum, call) => sum + call.plainBilled, 0);
  return {
    billed,
    plainBilled,
    billedShare: billed / plainBilled,
    sentShare: sent / plainSent,
    cachedShare: cached / sent,
    peakChars: peak,
    plainPeakChars: calls.reduce((largest, call) => Math.max(largest, call.plainSentChars), 0),
    breaksPer100: (100 * breaks) / requests,
    neededMet: met,
    needed,
  };
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
