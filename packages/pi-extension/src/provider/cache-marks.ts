import type { RenderedPrompt } from "@cm/context-log";
import { type HeadMark, headMarks, isMarked, unmarked, withoutHeadMark } from "./head-marks.ts";
import { providerLimits } from "./limits.ts";
import { type WantedMarks, wantedMarks } from "./mark-places.ts";
import { PairCache } from "./pair-cache.ts";
import { readPayload } from "./read-payload.ts";
import { isWireObject, type WireObject, type WirePlace } from "./wire-unit.ts";

/**
 * The request with Anthropic's `cache_control` where the prompt's breakpoints are, instead of on the newest message
 * alone: after a fold the provider finds the kept prefix only at a place that an earlier request marked. Marks are
 * copies of Pi's, which say for how long. Nothing but marks changes, never more than four are set, and none on
 * thinking. A request without marks, of another format, or that does not show this prompt is given back as it is. Never
 * throws.
 * @param known of the request before, if there was one
 */
export function placeMarks(payload: unknown, prompt: RenderedPrompt, known = new PairCache()): unknown {
  try {
    return marked(payload, prompt, known) ?? payload;
  } catch {
    return payload;
  }
}

function marked(payload: unknown, prompt: RenderedPrompt, known: PairCache): unknown {
  const read = readPayload(payload);
  if (read === undefined || read.format === "openai-responses" || !isWireObject(payload)) return undefined;
  const { messages } = read;
  const heads = headMarks(payload, messages[0]);
  const first = heads.some(({ on }) => on === "first-message") ? 1 : 0;
  const markedNow = markedFrom(messages, first);
  const mark = lastMarkOf(messages[markedNow.at(-1) ?? messages.length]?.content) ?? heads.at(-1)?.mark;
  if (mark === undefined) return undefined;
  const wanted = wantedMarks(prompt, read, known);
  if (wanted === undefined) return undefined;
  const kept = keptHeads(heads, wanted);
  const places = wanted.places.slice(Math.max(0, wanted.places.length - providerLimits.marksMax + kept.length));
  const remade = [...messages];
  for (const index of new Set([...markedNow, ...places.map(({ message }) => message)])) {
    const message = messages[index];
    if (message !== undefined) remade[index] = remarked(message, { index, places, mark });
  }
  const request: WireObject = { ...payload, messages: remade };
  return heads.filter((head) => !kept.includes(head)).reduce(withoutHeadMark, request);
}

/** Which messages have marks, from one on. */
function markedFrom(messages: readonly WireObject[], first: number): readonly number[] {
  const found: number[] = [];
  for (let index = first; index < messages.length; index += 1) {
    if (lastMarkOf(messages[index]?.content) !== undefined) found.push(index);
  }
  return found;
}

/**
 * The mark behind the whole head covers what an earlier one covers. What is lost without the tools' own is that they
 * are found again where the system prompt alone changes.
 */
function keptHeads(heads: readonly HeadMark[], { places, head }: WantedMarks): readonly HeadMark[] {
  const room = Math.max(providerLimits.marksMax - places.length, head ? 1 : 0);
  return heads.slice(Math.max(0, heads.length - room));
}

function lastMarkOf(content: unknown): unknown {
  if (!Array.isArray(content)) return undefined;
  for (let place = content.length - 1; place >= 0; place -= 1) {
    const block: unknown = content[place];
    if (isWireObject(block) && isMarked(block)) return block.cache_control;
  }
  return undefined;
}

interface Marking {
  readonly index: number;
  readonly places: readonly WirePlace[];
  readonly mark: unknown;
}

/** A message with the marks that it is to have and no others. */
function remarked(message: WireObject, { index, places, mark }: Marking): WireObject {
  const here = places.filter((place) => place.message === index);
  const { content } = message;
  if (typeof content === "string") {
    return here.length === 0
      ? message
      : { ...message, content: [{ type: "text", text: content, cache_control: mark }] };
  }
  if (!Array.isArray(content)) return message;
  const blocks = new Set(here.map(({ block }) => block));
  const withMark = (block: WireObject): WireObject => (isMarked(block) ? block : { ...block, cache_control: mark });
  return {
    ...message,
    content: content.map((block: unknown, place) =>
      blocks.has(place) && isWireObject(block) ? withMark(block) : unmarked(block),
    ),
  };
}
