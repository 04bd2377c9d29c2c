import type { Textless } from "@cm/context-log";

/**
 * A line of ours in a prompt of layout `log`: what it stands for, and what brings that back. It stands in the result of
 * a call, right behind that call. Fields are unquoted; `id` is the session's short name.
 */
export type Notice =
  | LeftOutNotice
  | EarlierNotice
  /** In place of an output that equals an earlier one in full. */
  | ({ readonly kind: "same-text"; readonly id: string; readonly callsAbove: number } & OutputSize)
  /** In place of an output that repeats lines of its call's own arguments. */
  | ({ readonly kind: "repeated-arguments"; readonly id: string } & OutputSize)
  /** Above the lines in which an output differs from an earlier one of the same file. */
  | ({ readonly kind: "changed-lines"; readonly id: string; readonly callsAbove: number } & OutputSize)
  /**
   * In place of lines of an output that stand in an earlier one, or in the text that an earlier call writes. How many left
   * follows from `same`.
   */
  | {
      readonly kind: "same-lines";
      readonly id: string;
      readonly same: LineRange;
      readonly where: "output" | "written";
      readonly callsAbove: number;
    }
  /** In place of a missing output. */
  | { readonly kind: "no-output"; readonly why: "interrupted" | "unknown" | "erased" | "missing" }
  /** Between the two ends of a text that was cut. What was said has its turn for an `id`, attachments alone none. */
  | { readonly kind: "cut"; readonly chars: number; readonly attachments?: number; readonly id?: string }
  | BroughtBackNotice
  /** Begins the report on what changed between two runs of the session. */
  | { readonly kind: "resumed" }
  | {
      readonly kind: "resumed-file";
      readonly id: string;
      readonly path: string;
      /** Why it has no text now. */
      readonly state?: Textless;
      readonly added?: number;
      readonly removed?: number;
      /** Changed places that are not shown below. */
      readonly placesOmitted?: number;
    }
  /** One side is missing where there was no working copy then, or is none now. */
  | { readonly kind: "resumed-checkout"; readonly was?: CheckoutFields; readonly now?: CheckoutFields }
  /** A folder whose files are found under another path than before. */
  | { readonly kind: "moved-folder"; readonly was: string; readonly now: string }
  | { readonly kind: "moved-file"; readonly id: string; readonly was: string; readonly now: string }
  /** Other paths that the report has no room for. */
  | { readonly kind: "moved-omitted"; readonly paths: number }
  | { readonly kind: "unreachable"; readonly id: string; readonly path: string; readonly reason: string }
  /** Files that the report has no room for. */
  | { readonly kind: "omitted"; readonly files: number }
  /** Pins that a window forced out. */
  | { readonly kind: "released"; readonly ids: readonly string[]; readonly omitted?: number };

/** A call by what its reader sees of it. */
export interface CallTarget {
  readonly tool: string;
  /** Its path, or the beginning of its command or pattern. */
  readonly target?: string;
}

/** How much text: lines where there are several, else characters; of a part of a file which lines. */
export type TextSize = { readonly lines: number } | { readonly chars: number } | LineRange;

/** As a tool numbers them, else counted from 1 in the text. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** An output: how much, and of which file it is the text, if of any. */
export interface OutputSize {
  readonly size: TextSize;
  /** The file's name without its folder, which the call has. */
  readonly file?: string;
}

/** Above the first result behind all that left the prompt: calls with their results, and what was said. */
export interface EarlierNotice {
  readonly kind: "earlier";
  readonly calls: number;
  /** The tools that were called most often. */
  readonly tools: readonly { readonly tool: string; readonly calls: number }[];
  /** Calls of other tools. */
  readonly more?: number;
  /** Prompts of the user that left, too. */
  readonly prompts?: number;
  /** The turns that it is of, counted from 1. */
  readonly turns: { readonly from: number; readonly to: number };
}

/** In place of a folded output. What of it stands nowhere else may follow: words, and lines below. */
export interface LeftOutNotice extends OutputSize {
  readonly kind: "left-out";
  readonly id: string;
  /** Pictures that left with it. */
  readonly attachments?: number;
  readonly failed?: true;
  /** What had become of the file that was read when the text was left out. */
  readonly since?: "changed" | "unchanged";
  /** How many lines of it follow. */
  readonly linesBelow?: number;
  readonly words?: readonly string[];
}

/** Above a text that was brought back at the end of a result. */
export interface BroughtBackNotice extends Partial<CallTarget> {
  readonly kind: "brought-back";
  /** The arguments of the call, and not its output. */
  readonly input?: true;
  readonly id: string;
  readonly path?: string;
  readonly size: TextSize;
  /** Why it is only the part that was seen. */
  readonly partly?: Textless;
}

export interface CheckoutFields {
  readonly root: string;
  readonly commit?: string;
  readonly branch?: string;
}
