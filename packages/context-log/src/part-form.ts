/**
 * How a part stands in the prompt. Parts are results, recalled texts and what user or model said, `{at}`, and arguments
 * of calls, `{at}.{call}`. `sparse`: line numbers on every tenth line. `same`: a reference to the part that shows the
 * same text, or arguments that say all of it. `diff`: the lines that changed against an earlier part. `pointer`: runs of
 * lines stand in earlier parts, and a line of ours says where. `reference`: folded; `lines` and `names` are what
 * of it stands nowhere else in view. `spans`: the first and the last characters. `replaced`: arguments of an edit that
 * was made, without the text that it replaced. Dialogue takes `spans` alone, and only where a window forces it.
 */
export type PartForm =
  | { readonly form: "full" }
  | { readonly form: "sparse" }
  | { readonly form: "same"; readonly as: string }
  | { readonly form: "diff"; readonly from: string }
  | { readonly form: "pointer"; readonly runs: readonly RepeatedRun[] }
  | {
      readonly form: "reference";
      readonly names?: readonly TextSpan[];
      readonly lines?: readonly TextSpan[];
      /** Of a text read from a file: what had become of the file when the text was folded. Absent: not known. */
      readonly file?: "changed" | "unchanged";
      /** Of arguments: cut as one text, and not each field by its beginning. */
      readonly whole?: true;
    }
  | { readonly form: "spans"; readonly head: number; readonly tail: number }
  | { readonly form: "replaced" };

/** A place in a text: where it begins and ends, in UTF-16 units. A step names text by its place and never repeats it. */
export type TextSpan = readonly [start: number, end: number];

/** Lines of a text that stand in an earlier part, counted from 0 in both. The runs of a text are in its order and share no line. */
export interface RepeatedRun {
  readonly line: number;
  readonly count: number;
  /** The part, and the first of its lines: of an output, or of the text that a call's arguments write. */
  readonly in: string;
  readonly from: number;
}

const none: readonly string[] = [];

/** The parts that a form points at, each once. */
export function basesOf(form: PartForm): readonly string[] {
  switch (form.form) {
    case "same":
      return [form.as];
    case "diff":
      return [form.from];
    case "pointer":
      return [...new Set(form.runs.map((run) => run.in))];
    default:
      return none;
  }
}

/** A part is known by its entry's place in the log, arguments by that and by their call's place in the answer. */
export const resultPart = (at: number): string => `${at}`;
export const argsPart = (at: number, call: number): string => `${at}.${call}`;

/** The place in the log of the entry that a part is of. */
export const placeOfPart = (part: string): number => Number.parseInt(part, 10);

/** Which call of an answer a part's arguments are of; 0 for an output. */
export const callOfPart = (part: string): number =>
  part.includes(".") ? Number(part.slice(part.indexOf(".") + 1)) : 0;
