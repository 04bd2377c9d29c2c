/**
 * How a part stands in the prompt. Parts are results, recalled texts and what user or model said, `{at}`, and arguments
 * of calls, `{at}.{call}`. `sparse`: line numbers on every tenth line. `same`: a reference to the part that shows the
 * same text, or arguments that say all of it. `diff`: the lines that changed against an earlier part. `reference`: folded; `lines` and `names` are what
 * of it stands nowhere else in view. `spans`: the first and the last characters. `replaced`: arguments of an edit that
 * was made, without the text that it replaced. Dialogue takes `spans` alone, and only where a window forces it.
 */
export type PartForm =
  | { readonly form: "full" }
  | { readonly form: "sparse" }
  | { readonly form: "same"; readonly as: string }
  | { readonly form: "diff"; readonly from: string }
  | {
      readonly form: "reference";
      readonly names?: readonly TextSpan[];
      readonly lines?: readonly TextSpan[];
      /** Of a text read from a file: what had become of the file when the text was folded. Absent: not known. */
      readonly file?: "changed" | "unchanged";
    }
  | { readonly form: "spans"; readonly head: number; readonly tail: number }
  | { readonly form: "replaced" };

/** A place in a text: where it begins and ends, in UTF-16 units. A step names text by its place and never repeats it. */
export type TextSpan = readonly [start: number, end: number];

/** The part that a form points at. */
export function baseOf(form: PartForm): string | undefined {
  return form.form === "same" ? form.as : form.form === "diff" ? form.from : undefined;
}

export const resultPart = (at: number): string => `${at}`;
export const argsPart = (at: number, call: number): string => `${at}.${call}`;
