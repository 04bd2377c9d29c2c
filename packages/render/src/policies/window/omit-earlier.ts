import { askedBy, type ContextView } from "@cm/context-log";

/** What calls of earlier turns may weigh at most when nothing of their text stands any more, as a share of the window. */
const skeletonShareMax = 0.5;
/** What is left of them then: leaving rewrites the prompt from its start, so it is done seldom and goes far. */
const skeletonShareLow = 0.25;
/** The same for prompts of earlier turns, of which no call stands any more: they go last, but never crowd out all else. */
const promptsShareMax = 0.25;
const promptsShareLow = 0.125;

/** A prompt that messages leave as a whole, in units (see `earlierUnits`). */
export interface LeavingPrompt {
  readonly view: ContextView;
  /** Of all messages that are left, with the line about those that are not. */
  readonly bytes: number;
  bytesAt(place: number): number;
  /** Pinned objects of which text stands at these places. */
  pinnedAt(places: readonly number[]): readonly string[];
  isOmitted(place: number): boolean;
  omit(places: readonly number[]): void;
}

/**
 * Where ids, arguments and references of earlier turns fill half of the window, folding alone leaves ever less room for
 * text: the oldest of those calls leave as a whole, with their results and what was answered. One line says what they were.
 * So do the oldest prompts, where those that stand without their calls fill a quarter.
 * @param isBare whether nothing of a unit's text stands any more
 */
export function omitSkeleton(prompt: LeavingPrompt, bytesMax: number, isBare: (unit: EarlierUnit) => boolean): void {
  const units = earlierUnits(prompt.view);
  omitDownTo(prompt, earlierCalls(prompt, units).filter(isBare), {
    most: skeletonShareMax * bytesMax,
    least: skeletonShareLow * bytesMax,
  });
  omitDownTo(prompt, promptsAlone(prompt, units), {
    most: promptsShareMax * bytesMax,
    least: promptsShareLow * bytesMax,
  });
}

/** The oldest first, where all together weigh more than the most, until they weigh the least. */
function omitDownTo(
  prompt: LeavingPrompt,
  units: readonly EarlierUnit[],
  { most, least }: { readonly most: number; readonly least: number },
): void {
  let weight = weightOf(prompt, units);
  if (weight <= most) return;
  for (const { places } of units) {
    if (weight <= least) return;
    weight -= bytesOf(prompt, places);
    prompt.omit(places);
  }
}

/** Prompts of turns of which no call stands any more. */
function promptsAlone(prompt: LeavingPrompt, units: readonly EarlierUnit[]): readonly EarlierUnit[] {
  const standing = new Set(calls(prompt, units).map(({ turn }) => turn));
  return leavingPrompts(prompt, units).filter(({ turn }) => !standing.has(turn));
}

/** All but the one before the first answer that stands: providers take no messages that begin with an answer. */
function leavingPrompts(prompt: LeavingPrompt, units: readonly EarlierUnit[]): readonly EarlierUnit[] {
  const standing = prompt.view.log.filter(
    ({ kind, at }) => (kind === "user" || kind === "assistant") && !prompt.isOmitted(at),
  );
  const answer = standing.findIndex(({ kind }) => kind !== "user");
  const first = standing[answer - 1]?.at;
  return units.filter(({ isPrompt, places }) => isPrompt && places[0] !== first);
}

/**
 * There is no other way left: calls of earlier turns leave, then the oldest prompts, as a whole and never rewritten, then
 * older calls of the current turn. Calls with something that is pinned go last.
 */
export function omitUntilFits(prompt: LeavingPrompt, bytesMax: number): void {
  const low = (1 - skeletonShareLow) * bytesMax;
  if (prompt.bytes <= bytesMax) return;
  const units = earlierUnits(prompt.view);
  const free = units.filter(({ places }) => prompt.pinnedAt(places).length === 0);
  leave(prompt, earlierCalls(prompt, free), { bytesMax, low });
  const prompts = leavingPrompts(prompt, units);
  const spare = Math.max(0, weightOf(prompt, prompts) - promptsShareLow * bytesMax);
  leave(prompt, prompts, { bytesMax, low: Math.min(bytesMax, Math.max(low, prompt.bytes - spare)) });
  const left = calls(prompt, free);
  leave(
    prompt,
    left.filter(({ waits }) => !waits),
    { bytesMax, low },
  );
  leave(prompt, left, { bytesMax, low });
  leave(prompt, calls(prompt, units), { bytesMax, low: bytesMax });
}

const calls = (prompt: LeavingPrompt, units: readonly EarlierUnit[]): readonly EarlierUnit[] =>
  units.filter(({ isPrompt, places }) => !isPrompt && places.every((place) => !prompt.isOmitted(place)));

const earlierCalls = (prompt: LeavingPrompt, units: readonly EarlierUnit[]): readonly EarlierUnit[] =>
  calls(prompt, units).filter(({ turn }) => turn < prompt.view.turn);

const weightOf = (prompt: LeavingPrompt, units: readonly EarlierUnit[]): number =>
  units.reduce((sum, { places }) => sum + bytesOf(prompt, places), 0);

const bytesOf = (prompt: LeavingPrompt, places: readonly number[]): number =>
  places.reduce((sum, place) => sum + prompt.bytesAt(place), 0);

/** The oldest first, and where any must leave, as many as it takes to the low mark. */
function leave(
  prompt: LeavingPrompt,
  units: readonly EarlierUnit[],
  { bytesMax, low }: { readonly bytesMax: number; readonly low: number },
): void {
  if (prompt.bytes <= bytesMax) return;
  for (const { places } of units) {
    if (prompt.bytes <= low) return;
    prompt.omit(places);
  }
}

/** Entries that leave a prompt together: an answer with the results of its calls, or what the person said at one place. */
export interface EarlierUnit {
  /** Places in the log, ascending. */
  readonly places: readonly number[];
  readonly turn: number;
  readonly isPrompt: boolean;
  /** A call of it has no result. In an earlier turn it was interrupted; in this one its result may still come. */
  readonly waits: boolean;
}

interface OpenUnit {
  readonly places: number[];
  readonly turn: number;
  readonly isPrompt: boolean;
  open: number;
  /** One of its results is among the newest entries. */
  isNewest: boolean;
}

/** What of a log may leave the prompt as a whole, oldest first: all but the newest calls, and the prompts of the current turn. */
function earlierUnits({ log, step, turn }: Pick<ContextView, "log" | "step" | "turn">): readonly EarlierUnit[] {
  const asked = askedBy(log);
  const answers = new Map<number, OpenUnit>();
  const units: OpenUnit[] = [];
  for (const entry of log) {
    if (entry.kind === "omitted") continue;
    const isNewest = entry.step > step - newestSteps && entry.turn >= turn;
    const unit = { places: [entry.at], turn: entry.turn, isPrompt: entry.kind === "user", open: 0, isNewest };
    if (entry.kind === "user" && entry.turn < turn) units.push(unit);
    if (entry.kind === "assistant") {
      unit.open = entry.calls.length;
      answers.set(entry.at, unit);
      units.push(unit);
    }
    if (entry.kind !== "result") continue;
    const answer = answers.get(asked.get(entry.at) ?? -1);
    if (answer === undefined) {
      // It came so late that its call has left.
      units.push(unit);
      continue;
    }
    answer.places.push(entry.at);
    answer.open -= 1;
    answer.isNewest ||= isNewest;
  }
  return units.flatMap(({ places, turn, isPrompt, open, isNewest }) =>
    isNewest ? [] : [{ places, turn, isPrompt, waits: open > 0 }],
  );
}

/** What the line about all that left weighs at most, in bytes. */
export const lineBytesMax = 1_200;

/** A forced fold goes down to this share of the window, so that not every request has to fold. */
export const lowMark = 0.85;

/** Requests in which a text stands before it may be folded as old text. */
export const newestSteps = 2;
