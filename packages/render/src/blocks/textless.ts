import type { Textless } from "@cm/object-model";

/** Why an object has no text, as it stands in brackets at the end of a line of ours. */
const textlessNames = ["unread", "deleted", "binary", "too_large", "unreachable", "erased"] as const;
export type TextlessName = (typeof textlessNames)[number] & Textless;

/** Each of the names, as the source of a regular expression. */
export const textlessPattern: string = textlessNames.join("|");

export function textlessNamed(name: string | undefined): TextlessName | undefined {
  return textlessNames.find((known) => known === name);
}
