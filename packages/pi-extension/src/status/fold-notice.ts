import type { ContextView } from "@cm/context-log";
import type { Fold } from "@cm/session";
import { counted } from "@cm/terminal-text";
import { countWords, lostProtection } from "../folded/fold-words.ts";
import { type FoldedPart, foldedParts } from "../folded/folded-parts.ts";
import { objectName } from "../folded/object-name.ts";
import { aboutTokens } from "../text/token-count.ts";
import { statusLimits } from "./status-limits.ts";

/**
 * What was folded since the last notice, in a line for people: `cm folded 14 outputs: about 31,000 tokens fewer in each
 * request.` Where it is long, with the heaviest of them. Undefined where nothing is left out.
 */
export function foldNotice(
  folds: readonly Fold[],
  view: ContextView,
  { isLong, cwd }: { readonly isLong: boolean; readonly cwd: string },
): string | undefined {
  const parts = folds
    .flatMap((fold) => foldedParts(view, fold))
    .filter(({ chars }) => chars > 0)
    .sort((a, b) => b.chars - a.chars);
  const chars = parts.reduce((sum, part) => sum + part.chars, 0);
  if (chars === 0) return undefined;
  const said = parts.filter(({ object }) => object === undefined).length;
  const texts = [
    countWords(parts.filter(({ object }) => object !== undefined)),
    ...(said > 0 ? [`cut ${counted(said, "text")} of the dialogue`] : []),
  ];
  const lost = folds.reduce((sum, fold) => sum + lostProtection(fold), 0);
  return [
    `cm folded ${texts.filter((text) => text !== "").join(" and ")}: about ${aboutTokens(chars)} fewer in each request.`,
    ...(lost > 0 ? [`The model's window had no room for ${counted(lost, "protected text")}.`] : []),
    ...(isLong ? [`${namesOf(parts, view, cwd)} /cm why ID says why.`] : []),
  ].join(" ");
}

function namesOf(parts: readonly FoldedPart[], view: ContextView, cwd: string): string {
  const named = parts.flatMap(({ object = "", isArgs, chars }) => {
    const known = view.objects.get(object);
    if (known === undefined) return [];
    const name = objectName(known, cwd, statusLimits.noticePathCharsMax);
    return [`${known.alias}${isArgs ? ".input" : ""} ${name} (${aboutTokens(chars)})`];
  });
  const shown = named.slice(0, statusLimits.foldedNamedMax);
  const others = named.length - shown.length;
  return `${[...shown, ...(others > 0 ? [`and ${others} more`] : [])].join(", ")}.`;
}
