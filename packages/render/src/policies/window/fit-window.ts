import { type ContextView, type PromptDecision, placeOfPart, resultPart } from "@cm/context-log";
import { foldCandidatesInBytes } from "../log-index/fold-candidates.ts";
import {
  compactDialogue,
  compactEarlier,
  cutLargePrompts,
  cutNewest,
  cutNewestCalls,
  cutPrompts,
  foldNewest,
} from "./cut-texts.ts";
import { FittedPrompt } from "./fitted-prompt.ts";
import { dropNames, FoldableParts, partsInView } from "./fold-parts.ts";
import { type EarlierUnit, lowMark, omitSkeleton, omitUntilFits } from "./omit-earlier.ts";

const none: ReadonlySet<string> = new Set();
const unbounded = Number.POSITIVE_INFINITY;

/**
 * Makes a decision fit the view's window (SSOT 4.4 (10), T19) under layout `log`: the rendered messages weigh
 * at most `window.bytesMax`, as `messageBytes` counts. What gives way, in this order: expired parts, what was touched
 * longest ago, recalls that no harness asked for, names in references, the newest outputs, pins, the oldest answers,
 * what is protected, whole calls of earlier turns, the person's words of those turns, and older calls of the current
 * turn. Where what is folded already fills half of the window, the oldest of those calls leave earlier. Where the newest
 * calls alone are too much, they are cut before all else, and so are prompts of the current turn that are too much alone; others of
 * them only where nothing else helps. Each change stands in `reasons`. For `foldToBytes` the first two
 * give way alone, and for `dialogueToBytes` behind them dialogue of turns that are over.
 *
 * @param expired keys of parts that the policy would fold at no price
 * @param keptParts keys of parts that are protected, what was said among them; asked for only where something must go
 */
export function fitWindow(
  view: ContextView,
  decision: PromptDecision,
  expired: ReadonlySet<string> = none,
  keptParts: () => ReadonlySet<string> = () => none,
): PromptDecision {
  const { foldToBytes = unbounded, dialogueToBytes = unbounded, window: { bytesMax = unbounded } = {} } = view;
  const least = Math.min(bytesMax, foldToBytes, dialogueToBytes);
  if (least === unbounded) return decision;
  const prompt = new FittedPrompt(view, decision);
  // Also where all fits: the first full window would wait for a look at thousands of parts.
  foldCandidatesInBytes(view);
  if (prompt.bytes <= least) return decision;
  const kept = keptParts();
  giveWay(prompt, expired, kept);
  if (prompt.bytes <= bytesMax) return prompt.decision;
  // Whatever leaves, the newest calls are too much: they are cut first, so that what they crowded out may stay.
  const cut = new FittedPrompt(view, decision);
  cutNewestCalls(cut, bytesMax);
  cutLargePrompts(cut, bytesMax);
  giveWay(cut, expired, kept);
  cutPrompts(cut, bytesMax);
  return cut.decision;
}

function giveWay(prompt: FittedPrompt, expired: ReadonlySet<string>, kept: ReadonlySet<string>): void {
  const { view } = prompt;
  const { foldToBytes = unbounded, dialogueToBytes = unbounded, window: { bytesMax = unbounded } = {} } = view;
  prompt.protect(kept);
  const parts = new FoldableParts(prompt, partsInView(view, prompt.decided), expired);
  const low = prompt.bytes > bytesMax ? Math.floor(lowMark * bytesMax) : bytesMax;
  parts.foldExpired();
  parts.foldOldest(Math.min(low, foldToBytes));
  if (low < bytesMax) omitSkeleton(prompt, bytesMax, bareIn(prompt, parts));
  compactEarlier(prompt, dialogueToBytes);
  refuseRecalls(prompt, bytesMax);
  dropNames(prompt, bytesMax);
  cutNewest(prompt, parts, bytesMax);
  releasePins(prompt, parts, bytesMax);
  compactDialogue(prompt, { low, bytesMax });
  takeProtected(prompt, parts, bytesMax);
  prompt.foldPointing();
  omitUntilFits(prompt, bytesMax);
  // What pointed at what left may weigh more as a reference.
  prompt.foldPointing();
  omitUntilFits(prompt, bytesMax);
  prompt.foldPointing();
  foldNewest(prompt, parts, bytesMax);
}

/** Nothing in it could be folded any more, and nothing is pinned or protected. */
function bareIn(prompt: FittedPrompt, parts: FoldableParts): (unit: EarlierUnit) => boolean {
  const shown = new Set(
    parts.parts.flatMap(({ key }) => (prompt.formOf(key).form === "reference" ? [] : [placeOfPart(key)])),
  );
  return ({ places }) =>
    places.every((place) => !shown.has(place) && !prompt.isProtected(resultPart(place))) &&
    prompt.pinnedAt(places).length === 0;
}

/** There is no other way left: what is protected goes as all other text went, no further than it must. */
function takeProtected(prompt: FittedPrompt, parts: FoldableParts, bytesMax: number): void {
  if (prompt.bytes <= bytesMax || !prompt.isProtecting) return;
  prompt.liftProtection();
  parts.foldOldest(bytesMax);
  cutNewest(prompt, parts, bytesMax);
  compactDialogue(prompt, { low: bytesMax, bytesMax });
}

/** What the agent did not ask for is not brought back; what it asked for is cut as the newest outputs are. */
function refuseRecalls(prompt: FittedPrompt, bytesMax: number): void {
  const { requested } = prompt.view.sets;
  for (const recall of prompt.recall.toReversed()) {
    if (prompt.bytes <= bytesMax) return;
    if (!requested.has(recall.object)) prompt.refuseRecall(recall);
  }
}

/** Under this, a text is hardly longer than the notice that its pin is gone. */
const worthReleasingBytes = 300;

/** Takes pins away, the object that was touched longest ago first, and folds what they kept. A notice tells the agent. */
function releasePins(prompt: FittedPrompt, parts: FoldableParts, bytesMax: number): void {
  if (prompt.bytes <= bytesMax) return;
  for (const object of pinnedInView(prompt, parts)) {
    if (prompt.bytes <= bytesMax) return;
    prompt.release(object);
    for (const { key, objects } of parts.parts) {
      if (objects.includes(object)) parts.fold(key, "window: pin released");
    }
    cutNewest(prompt, parts, bytesMax);
  }
}

/** Pinned objects of which text stands in view. */
function pinnedInView(prompt: FittedPrompt, parts: FoldableParts): readonly string[] {
  const touched = new Map<string, number>();
  for (const part of parts.parts) {
    if (part.isArgs || prompt.formOf(part.key).form === "reference") continue;
    if (prompt.bytesAt(part.at) < worthReleasingBytes) continue;
    for (const id of part.objects) {
      if (prompt.view.sets.pinned.has(id)) touched.set(id, Math.max(touched.get(id) ?? 0, part.touched));
    }
  }
  return [...touched].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).map(([id]) => id);
}
