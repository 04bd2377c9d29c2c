import type { PromptMessage, RenderedPrompt } from "@cm/context-log";
import type { PairCache } from "./pair-cache.ts";
import type { WirePlace, WirePrompt } from "./wire-unit.ts";

export interface WantedMarks {
  /** Blocks of messages, ascending, each once. */
  readonly places: readonly WirePlace[];
  /** Whether the end of system prompt and tools is to be marked. */
  readonly head: boolean;
}

/**
 * Where the prompt's breakpoints lie in the request. Undefined where its end is not found there: then it is unknown
 * what is where, and Pi's own marks stay.
 */
export function wantedMarks(prompt: RenderedPrompt, request: WirePrompt, known: PairCache): WantedMarks | undefined {
  const counts = lastingBreakpoints(prompt);
  if (counts.length === 0) return undefined;
  const places = known.placesBehind(counts, prompt.messages, request);
  if (places === undefined) return undefined;
  const each = new Map(places.map((place) => [`${place.message} ${place.block}`, place]));
  return { places: [...each.values()].sort(inOrder), head: counts.includes(0) };
}

const inOrder = (a: WirePlace, b: WirePlace): number => a.message - b.message || (a.block ?? 0) - (b.block ?? 0);

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
