import type { PromptMessage, RenderedPrompt } from "@cm/object-model";
import { pairsOf } from "./pairs.ts";
import type { WirePlace, WireUnit } from "./wire-unit.ts";

export interface WantedMarks {
  /** Blocks of messages, ascending, each once. */
  readonly places: readonly WirePlace[];
  /** Whether the end of system prompt and tools is to be marked. */
  readonly head: boolean;
}

/**
 * Where the prompt's breakpoints lie in the request. Undefined where its end is not found there: then nobody knows what
 * is where, and Pi's own marks stay.
 */
export function wantedMarks(prompt: RenderedPrompt, units: readonly WireUnit[]): WantedMarks | undefined {
  const { messages } = prompt;
  const breakpoints = lastingBreakpoints(prompt);
  const tail = breakpoints.at(-1);
  if (tail === undefined) return undefined;
  const pairs = pairsOf(messages, units);
  if (tail > 0 && pairs[tail - 1] === undefined) return undefined;
  const paired = new Set(pairs);
  const found = breakpoints.flatMap((breakpoint) => {
    const unit = unitBefore(messages, pairs, breakpoint);
    if (unit === undefined) return [];
    const isExact = unit === pairs[breakpoint - 1];
    return [isExact ? withAdded(units, unit, paired) : unit];
  });
  const places = [...new Set(found)].sort((a, b) => a - b).flatMap((unit) => units[unit]?.place ?? []);
  return { places, head: breakpoints.includes(0) };
}

/**
 * Active content at the end under `ssot` is another one in the next request: what is marked behind it is written for
 * nothing, and what stands before it would never be stored. A prompt of a session whose prices know no marks has none:
 * then the head and its end, as Pi does.
 */
function lastingBreakpoints({ messages, breakpoints }: RenderedPrompt): readonly number[] {
  let end = messages.length;
  while (end > 0 && isPassing(messages[end - 1])) end -= 1;
  if (end === messages.length && breakpoints !== undefined) return breakpoints;
  while (end > 0 && messages[end - 1]?.role === "assistant") end -= 1;
  return [...(breakpoints ?? [0]).filter((breakpoint) => breakpoint < end), end];
}

const isPassing = (message: PromptMessage | undefined): boolean => message?.id.startsWith("active~") === true;

/** The last unit of the first so many messages that takes a mark; a place that is earlier than asked for is right, too. */
function unitBefore(
  messages: readonly PromptMessage[],
  pairs: readonly (number | undefined)[],
  count: number,
): number | undefined {
  for (let place = count - 1; place >= 0; place -= 1) {
    const unit = pairs[place];
    if (unit !== undefined && messages[place]?.role !== "assistant") return unit;
  }
  return undefined;
}

/**
 * Pi adds messages of its own behind results: their pictures, results of calls that have none, changes of the system
 * prompt. They stay there in later requests, so the mark goes behind them.
 */
function withAdded(units: readonly WireUnit[], unit: number, paired: ReadonlySet<number | undefined>): number {
  let last = unit;
  for (let next = unit + 1; next < units.length && !paired.has(next); next += 1) {
    const added = units[next];
    if (added === undefined || !isAddedByPi(added, units[next - 1])) break;
    if (added.place !== undefined) last = next;
  }
  return last;
}

function isAddedByPi({ kind, hasPictures }: WireUnit, before: WireUnit | undefined): boolean {
  return kind === "tool" || kind === "system" || (kind === "user" && before?.kind === "tool" && hasPictures);
}
