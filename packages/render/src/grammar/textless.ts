import type { Textless } from "@cm/context-log";

/** Why an object has no text, and how a line of ours says it in brackets at its end. */
const words = {
  unread: "unread",
  deleted: "deleted",
  binary: "binary",
  too_large: "too large",
  unreachable: "unreachable",
  erased: "erased",
  missing: "missing",
} as const satisfies Record<Textless, string>;

/** Each of the words, as the source of a regular expression. */
export const textlessPattern: string = Object.values(words).join("|");

/** ` [unread]`, or nothing where there is a text. */
export function stateMark(state: Textless | undefined): string {
  return state === undefined ? "" : ` [${words[state]}]`;
}

/** The state that such a word names. */
export function textlessNamed(word: string | undefined): Textless | undefined {
  return (Object.keys(words) as Textless[]).find((state) => words[state] === word);
}
