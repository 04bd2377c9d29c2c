import { lineageLimits } from "../limits.ts";

/** Parts that are no text (images, links to files) are the caller's own and handed through. */
export type InputPart = { readonly type: "text"; readonly text: string } | Readonly<Record<string, unknown>>;
export type RunInput = string | readonly InputPart[];

export function textsOf(input: RunInput): readonly string[] {
  const parts: readonly InputPart[] = typeof input === "string" ? [{ type: "text", text: input }] : input;
  return parts.flatMap((part) => (part.type === "text" && typeof part.text === "string" ? [part.text] : []));
}

/** Whether there is nothing in it. */
export const isSilent = (input: RunInput): boolean =>
  typeof input === "string" ? input.trim() === "" : input.every(isBlankText);

const isBlankText = (part: InputPart): boolean =>
  part.type === "text" && (typeof part.text !== "string" || part.text.trim() === "");

/** A conversation's title: the beginning of the first text, on one line; null without a text. */
export function titleOf(input: RunInput): string | null {
  const text = textsOf(input).find((one) => one.trim() !== "");
  if (text === undefined) return null;
  const line = text.trim().replaceAll(/\s+/g, " ");
  // A pair of surrogates is not cut in two.
  return line.slice(0, lineageLimits.madeTitleCharsMax).replace(/[\ud800-\udbff]$/, "");
}
