import {
  type AssistantEntry,
  argsPart,
  type ContextView,
  type LogEntry,
  type PartForm,
  resultPart,
  type UserEntry,
} from "@cm/context-log";
import { argsChars } from "../../layouts/messages/content.ts";
import type { FittedPrompt, WindowReason } from "./fitted-prompt.ts";
import type { FoldableParts } from "./fold-parts.ts";
import { newestSteps } from "./omit-earlier.ts";

/** What a message weighs beside its text, about; the rounds find the rest. */
const besideTextBytes = 240;
/** Escaping and the line between the ends make a text heavier than its ends: what is still too much goes next time. */
const roundsMax = 4;

interface Newest {
  readonly key: string;
  readonly at: number;
  readonly text: string;
  readonly bytes: number;
}

/**
 * Cuts the newest outputs and what this request brings back to their two ends: the largest first, so far that the rest
 * need not be touched. None becomes shorter than its shortest ends.
 */
export function cutNewest(prompt: FittedPrompt, parts: FoldableParts, bytesMax: number): void {
  for (let round = 0; round < roundsMax && prompt.bytes > bytesMax; round += 1) {
    const newest = newestIn(prompt, parts);
    const level = levelFor(newest, prompt.bytes - bytesMax);
    for (const { key, text, bytes } of newest) {
      if (bytes > level) cut(prompt, key, endsWithin(text, level - besideTextBytes));
    }
  }
  if (prompt.bytes <= bytesMax) return;
  for (const { key } of newestIn(prompt, parts)) {
    if (prompt.bytes <= bytesMax) return;
    cut(prompt, key, shortestEnds);
  }
}

/** The last resort: nothing of the newest outputs stands, and what they pointed at is free to go. */
export function foldNewest(prompt: FittedPrompt, parts: FoldableParts, bytesMax: number): void {
  if (prompt.bytes <= bytesMax) return;
  const newest = newestIn(prompt, parts).toSorted((a, b) => a.at - b.at);
  for (const { key } of newest) {
    if (prompt.bytes <= bytesMax) return;
    prompt.shrink(key, { form: "reference" }, "window: newest output folded");
  }
  parts.foldOldest(bytesMax);
}

function cut(prompt: FittedPrompt, key: string, ends: Ends): void {
  prompt.shrink(key, ends, "window: newest output cut");
}

/** The heaviest first. */
function newestIn(prompt: FittedPrompt, parts: FoldableParts): readonly Newest[] {
  const keys = parts.parts.flatMap((part) =>
    part.isNewest && !part.isArgs && !parts.isPinned(part) && !prompt.isProtected(part.key) ? [part.key] : [],
  );
  const appended = prompt.appended.flatMap(({ kind, at }) => (kind === "recalled" ? [resultPart(at)] : []));
  return [...keys, ...appended]
    .flatMap((key): Newest[] => {
      const at = Number(key);
      const entry = prompt.entryAt(at);
      const text = entry?.kind === "result" || entry?.kind === "recalled" ? entry.text : null;
      return text === null ? [] : [{ key, at, text, bytes: prompt.bytesAt(at) }];
    })
    .sort((a, b) => b.bytes - a.bytes || a.at - b.at);
}

/** The weight to which the heaviest must come down so that all together lose the excess. */
function levelFor(newest: readonly Newest[], excess: number): number {
  let level = newest[0]?.bytes ?? 0;
  let lost = 0;
  for (const [place, { bytes }] of newest.entries()) {
    const next = newest[place + 1]?.bytes ?? 0;
    const step = (bytes - next) * (place + 1);
    if (lost + step >= excess) return Math.floor(level - (excess - lost) / (place + 1));
    lost += step;
    level = next;
  }
  return 0;
}

/** What is left of a text at least, in UTF-16 units: half of it from the start, half from the end. */
const endsCharsMin = 400;

type Ends = Extract<PartForm, { form: "spans" }>;

const shortestEnds: Ends = { form: "spans", head: endsCharsMin / 2, tail: endsCharsMin / 2 };

/** Both ends of a text, as long as they may be within a number of bytes as UTF-8, but never under the shortest. */
function endsWithin(text: string, bytes: number): Ends {
  const half = Math.max(0, bytes / 2);
  return {
    form: "spans",
    head: Math.max(shortestEnds.head, unitsWithin(text, half, 1)),
    tail: Math.max(shortestEnds.tail, unitsWithin(text, half, -1)),
  };
}

/** How many units fit, counted from the start or from the end. Half a pair counts three bytes, as an encoder writes it. */
function unitsWithin(text: string, bytes: number, step: 1 | -1): number {
  let left = bytes;
  let units = 0;
  for (let place = step === 1 ? 0 : text.length - 1; units < text.length; place += step) {
    const unit = text.charCodeAt(place);
    left -= unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    if (left < 0) break;
    units += 1;
  }
  return units;
}

/** Why what was said or asked for stands cut. */
export const cutReason = "window: dialogue compacted";

/**
 * What was answered longest ago keeps its two ends: turns that are over down to a low mark, so that not every request
 * has to do it again, the current one only as far as it must. An answer of the current turn that carries thinking stays
 * as it is, since providers check that it does. Pictures of earlier prompts go, too; the person's own words stay whole.
 */
export function compactDialogue(
  prompt: FittedPrompt,
  { low, bytesMax }: { readonly low: number; readonly bytesMax: number },
): void {
  if (prompt.bytes <= bytesMax) return;
  const { log, turn } = prompt.view;
  for (const entry of log) {
    if (prompt.bytes <= (entry.turn < turn ? low : bytesMax)) return;
    if (entry.kind === "assistant") compact(prompt, entry);
    else if (entry.kind === "user" && entry.turn < turn && entry.attachments.length > 0) leavePictures(prompt, entry);
  }
}

/** Its words stay whole. */
function leavePictures(prompt: FittedPrompt, { at, text }: UserEntry): void {
  if (!prompt.isProtected(resultPart(at)))
    prompt.shrink(resultPart(at), { form: "spans", head: text.length, tail: 0 }, cutReason);
}

/** A prompt whose parts may be cut one by one. */
export interface CutPrompt {
  readonly view: ContextView;
  /** Of all messages, as they would be rendered now. */
  readonly bytes: number;
  bytesAt(place: number): number;
  /** Takes a form where that makes the prompt lighter. Returns by how much. */
  shrink(part: string, form: PartForm, reason: WindowReason): number;
}

/** What the newest calls and the person's prompt may take together where they do not fit otherwise, as a share of the window. */
const newestShareMax = 0.5;

/**
 * What the newest calls ask for, what was said and what was thought with them, where no window has room for it and for
 * the person's prompt: the heaviest first. What fields cannot be cut to their beginnings is cut as a whole.
 */
export function cutNewestCalls(prompt: CutPrompt, bytesMax: number): void {
  const { log, step, turn } = prompt.view;
  const prompts = bytesOf(
    prompt,
    log.filter(({ kind, turn: of }) => kind === "user" && of >= turn),
  );
  const answers = log.filter(
    (entry): entry is AssistantEntry => entry.kind === "assistant" && entry.step > step - newestSteps,
  );
  const heaviest = answers.flatMap(partsOfAnswer).sort((a, b) => b.chars - a.chars);
  // A prompt that is too much alone is cut itself, so it takes no room from them.
  let over = bytesOf(prompt, answers) + (prompts > bytesMax ? 0 : prompts) - newestShareMax * bytesMax;
  for (const form of [{ form: "reference" }, { form: "reference", whole: true }] as const) {
    for (const { key, isArgs } of heaviest) {
      if (over > 0) over -= prompt.shrink(key, isArgs ? form : shortestEnds, cutReason);
    }
  }
}

const bytesOf = (prompt: CutPrompt, entries: readonly LogEntry[]): number =>
  entries.reduce((sum, { at }) => sum + prompt.bytesAt(at), 0);

function partsOfAnswer({ at, text, thinking, calls }: AssistantEntry) {
  const said = thinking.reduce((sum, thought) => sum + thought.text.length, text.length);
  return [
    { key: resultPart(at), isArgs: false, chars: said },
    ...calls.map(({ args }, call) => ({ key: argsPart(at, call), isArgs: true, chars: argsChars(args) })),
  ];
}

/**
 * Prompts of this turn that no window has room for, whatever else leaves: the largest first, until they take half of it, so
 * that what they are about may stay.
 */
export function cutLargePrompts(prompt: CutPrompt, bytesMax: number): void {
  const { log, turn } = prompt.view;
  const said = log.filter((entry): entry is UserEntry => entry.kind === "user" && entry.turn >= turn);
  if (bytesOf(prompt, said) <= bytesMax) return;
  for (let round = 0; round < roundsMax; round += 1) {
    const excess = bytesOf(prompt, said) - (1 - newestShareMax) * bytesMax;
    if (excess <= 0) return;
    const heaviest = said
      .map(({ at, text }) => ({ key: resultPart(at), at, text, bytes: prompt.bytesAt(at) }))
      .sort((a, b) => b.bytes - a.bytes || a.at - b.at);
    const level = levelFor(heaviest, excess);
    for (const { key, text, bytes } of heaviest)
      if (bytes > level) prompt.shrink(key, endsWithin(text, level - besideTextBytes), cutReason);
  }
}

/** Prompts that no window has room for: without this nothing could be sent at all. The newest one comes last. */
export function cutPrompts(prompt: CutPrompt, bytesMax: number): void {
  for (const { kind, at } of prompt.view.log) {
    if (prompt.bytes <= bytesMax) return;
    if (kind === "user") prompt.shrink(resultPart(at), shortestEnds, cutReason);
  }
}

/** The same of turns that are over alone, on request, after a summary of them for the agent. */
export function compactEarlier(prompt: FittedPrompt, bytesMax: number): void {
  for (const entry of prompt.view.log) {
    if (prompt.bytes <= bytesMax || entry.turn >= prompt.view.turn) return;
    compact(prompt, entry);
  }
}

function compact(prompt: FittedPrompt, entry: LogEntry): void {
  if (prompt.isProtected(resultPart(entry.at)) || prompt.isOmitted(entry.at)) return;
  if (entry.kind === "user") prompt.shrink(resultPart(entry.at), shortestEnds, cutReason);
  if (entry.kind === "assistant") compactAnswer(prompt, entry);
}

function compactAnswer(prompt: FittedPrompt, entry: AssistantEntry): void {
  const isOver = entry.turn < prompt.view.turn;
  if (!isOver && entry.thinking.length > 0) return;
  prompt.shrink(resultPart(entry.at), shortestEnds, cutReason);
  if (!isOver) return;
  for (const call of entry.calls.keys()) {
    const key = argsPart(entry.at, call);
    // What a newest output says to stand in them was asked for just now: they leave together, or not at all.
    if (prompt.formOf(key).form !== "reference" && !prompt.isProtected(key) && prompt.pointingAt(key).length === 0)
      prompt.shrink(key, { form: "reference" }, cutReason);
  }
}
