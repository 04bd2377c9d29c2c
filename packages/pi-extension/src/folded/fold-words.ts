import { causeText } from "@cm/render";
import type { Fold } from "@cm/session";
import { counted } from "@cm/terminal-text";

/** What was folded: `14 outputs and the arguments of 3 calls`. */
export function countWords(parts: readonly { readonly isArgs: boolean }[]): string {
  const args = parts.filter(({ isArgs }) => isArgs).length;
  const outputs = parts.length - args;
  const words = [
    ...(outputs > 0 ? [counted(outputs, "output")] : []),
    ...(args > 0 ? [`the arguments of ${counted(args, "call")}`] : []),
  ];
  return words.join(" and ");
}

/** Why text was folded then, as the end of a row. */
export const causeWords = ({ cause }: Pick<Fold, "cause">): string => causeText(cause, "you asked for it");

/** The window left no room for protected text. */
export const lostProtection = ({ reasons }: Pick<Fold, "reasons">): number =>
  reasons["window: no room for protected text"]?.length ?? 0;
