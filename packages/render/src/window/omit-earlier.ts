import { type EarlierUnit, earlierUnits } from "./earlier-units.ts";
import { type FittedPrompt, placeOf } from "./fitted-prompt.ts";
import type { FoldableParts } from "./fold-parts.ts";

/** What calls of earlier turns may weigh at most when nothing of their text stands any more, as a share of the window. */
const skeletonShareMax = 0.5;
/** What is left of them then: leaving rewrites the prompt from its start, so it is done seldom and goes far. */
const skeletonShareLow = 0.25;
/** The share of the window that prompts of earlier turns fill at most after the oldest of them had to leave. */
const promptsShareLow = 0.25;
/** What the line about all that left weighs at most, in bytes. */
export const lineBytesMax = 1_200;

/**
 * Where ids, arguments and references of earlier turns fill half of the window, folding alone leaves ever less room for
 * text: the oldest of those calls leave as a whole, with their results and what was answered. One line says what they were.
 */
export function omitSkeleton(prompt: FittedPrompt, parts: FoldableParts, bytesMax: number): void {
  if (prompt.bytes <= (1 - skeletonShareMax) * bytesMax) return;
  const shown = new Set(
    parts.parts.flatMap(({ key }) => (prompt.formOf(key).form === "reference" ? [] : [placeOf(key)])),
  );
  const isBare = ({ places }: EarlierUnit): boolean =>
    places.every((place) => !shown.has(place) && !prompt.isProtected(`${place}`));
  const bare = exchanges(prompt).filter((unit) => unit.turn < prompt.view.turn && isBare(unit));
  let skeleton = bare.reduce((sum, { places }) => sum + prompt.bytesOf(places), 0);
  if (skeleton <= skeletonShareMax * bytesMax) return;
  for (const { places } of bare) {
    if (skeleton <= skeletonShareLow * bytesMax) return;
    skeleton -= prompt.bytesOf(places);
    prompt.omit(places);
  }
}

/**
 * There is no other way left: calls of earlier turns leave, then the oldest prompts, as a whole and never rewritten, then
 * older calls of the current turn.
 */
export function omitUntilFits(prompt: FittedPrompt, bytesMax: number): void {
  const target = bytesMax - lineBytesMax;
  if (prompt.bytes <= target) return;
  const { turn } = prompt.view;
  const earlier = earlierUnits(prompt.view).filter((unit) => unit.turn < turn);
  leave(
    prompt,
    exchanges(prompt).filter((unit) => unit.turn < turn),
    { target, low: (1 - skeletonShareLow) * target },
  );
  const prompts = earlier.filter(({ isPrompt }) => isPrompt);
  const said = prompts.reduce((sum, { places }) => sum + prompt.bytesOf(places), 0);
  const spare = Math.max(0, said - promptsShareLow * bytesMax);
  leave(prompt, prompts, { target, low: Math.max(target / 2, prompt.bytes - spare) });
  leave(prompt, exchanges(prompt), { target, low: (1 - skeletonShareLow) * target });
}

const exchanges = (prompt: FittedPrompt): readonly EarlierUnit[] =>
  earlierUnits(prompt.view).filter(
    ({ isPrompt, places }) => !isPrompt && places.every((place) => !prompt.isOmitted(place)),
  );

/** The oldest first, and where any must leave, as many as it takes to the low mark. */
function leave(
  prompt: FittedPrompt,
  units: readonly EarlierUnit[],
  { target, low }: { readonly target: number; readonly low: number },
): void {
  if (prompt.bytes <= target) return;
  for (const { places } of units) {
    if (prompt.bytes <= low) return;
    prompt.omit(places);
  }
}
