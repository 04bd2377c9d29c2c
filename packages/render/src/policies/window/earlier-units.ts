import type { AssistantEntry, ContextView, PlaceRange } from "@cm/context-log";
import { newestSteps } from "./marks.ts";

/** Entries that leave a prompt together: an answer with the results of its calls, or what the person said at one place. */
export interface EarlierUnit {
  /** Places in the log, ascending. */
  readonly places: readonly number[];
  readonly turn: number;
  readonly isPrompt: boolean;
}

/**
 * What of a log may leave the prompt as a whole, oldest first: all but the newest calls, answers whose calls still wait for
 * a result, and the prompts of the current turn.
 */
export function earlierUnits({ log, step, turn }: Pick<ContextView, "log" | "step" | "turn">): readonly EarlierUnit[] {
  const answers = new Map<string, number[]>();
  const units: { readonly places: number[]; readonly turn: number; readonly isPrompt: boolean; open: number }[] = [];
  for (const entry of log) {
    if (entry.step > step - newestSteps && entry.turn >= turn) continue;
    const unit = { places: [entry.at], turn: entry.turn, isPrompt: entry.kind === "user", open: 0 };
    if (entry.kind === "user" && entry.turn < turn) units.push(unit);
    if (entry.kind === "assistant") units.push({ ...unit, open: callsIn(entry, answers, units.length) });
    if (entry.kind !== "result") continue;
    const asked = units[answers.get(entry.object)?.shift() ?? -1];
    // A result that nothing in here asked for stands alone.
    if (asked === undefined) continue;
    asked.places.push(entry.at);
    asked.open -= 1;
  }
  return units.filter(({ open }) => open === 0);
}

function callsIn({ calls }: AssistantEntry, answers: Map<string, number[]>, unit: number): number {
  for (const { object } of calls) {
    if (object === undefined) continue;
    const waiting = answers.get(object);
    if (waiting === undefined) answers.set(object, [unit]);
    else waiting.push(unit);
  }
  return calls.length;
}

/** What the line about all that left weighs at most, in bytes. */
export const lineBytesMax = 1_200;

/** Places as ranges. What left before does not part them. */
export function rangesOf(log: ContextView["log"], places: Iterable<number>): readonly PlaceRange[] {
  const ranges: [number, number][] = [];
  for (const place of [...places].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && leftBetween(log, last[1], place)) last[1] = place + 1;
    else ranges.push([place, place + 1]);
  }
  return ranges;
}

function leftBetween(log: ContextView["log"], from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (log[at]?.kind !== "omitted") return false;
  return true;
}
