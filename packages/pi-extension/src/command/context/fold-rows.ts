import type { ContextView } from "@cm/context-log";
import type { ShownPart } from "@cm/render";
import type { Fold } from "@cm/session";
import { counted } from "@cm/terminal-text";
import { causeWords } from "../../folded/fold-words.ts";
import { foldedParts } from "../../folded/folded-parts.ts";
import { tokensOf } from "../../text/token-count.ts";
import { commandLimits } from "../command-limits.ts";

/** What is left out of the prompt now, and what the newest folds took: the first row stands by itself. */
export function foldRows(
  view: ContextView,
  { parts, folds }: { readonly parts: readonly ShownPart[]; readonly folds: readonly Fold[] },
): readonly string[] {
  const out = parts.filter(({ fullChars, chars }) => fullChars > chars);
  if (out.length === 0) return ["nothing; all that was said and read stands in full"];
  const chars = out.reduce((sum, part) => sum + part.fullChars - part.chars, 0);
  const shown = folds.slice(-commandLimits.foldsShownMax).toReversed();
  const older = folds.length - shown.length;
  return [
    `${tokensOf(chars)} of ${counted(out.length, "text")} left out of each request`,
    ...shown.map((fold) => `  ${rowOf(view, fold)}`),
    ...(older > 0 ? [`  and ${counted(older, "fold")} before`] : []),
  ];
}

/** `3 requests ago  14 outputs  31,000 tokens  you asked for it`. */
function rowOf(view: ContextView, fold: Fold): string {
  const texts = foldedParts(view, fold);
  const chars = texts.reduce((sum, part) => sum + part.chars, 0);
  return [agoText(view.step - fold.step), counted(texts.length, "text"), tokensOf(chars), causeWords(fold)]
    .filter((text) => text !== "")
    .join(", ");
}

/** The newest request that was made is one ago. */
export const agoText = (requests: number): string =>
  requests <= 1 ? "with the newest request" : `${counted(requests - 1, "request")} ago`;
