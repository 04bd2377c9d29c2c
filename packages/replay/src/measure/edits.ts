import type { RecordedAssistant } from "@cm/recordings";
import { limits } from "../limits.ts";
import type { RunTotals } from "../results/run-result.ts";
import type { InView } from "./in-view.ts";
import { type ReplacedText, replacedTexts } from "./needed.ts";
import type { PlainLog } from "./plain-log.ts";

/** A needed line that was out of view. */
export interface MissedLine {
  /** Its beginning. */
  readonly line: string;
  /** The edited file, as the call names it. */
  readonly file: string;
  /** The place of the event that had told it last. */
  readonly place: number;
}

export interface EditsOfCall {
  readonly missed: readonly MissedLine[];
  /** Sizes of the outputs that would have to be fetched again, each once for a call. */
  readonly fetchedChars: readonly number[];
}

export type EditCounts = Required<Pick<RunTotals, "needed" | "neededMet" | "union" | "unionMet" | "missedFiles">>;

/** Counts the texts that edits replace: those that the plain log showed, and those that the requests did. */
export class Edits {
  readonly #missedFiles = new Set<string>();
  readonly #counts = { needed: 0, neededMet: 0, union: 0, unionMet: 0 };

  get counts(): EditCounts {
    return { ...this.#counts, missedFiles: this.#missedFiles.size };
  }

  answer(answer: RecordedAssistant, plain: PlainLog, view: Pick<InView, "shows">): EditsOfCall {
    const missed: MissedLine[] = [];
    const fetched = new Map<number, number>();
    for (const text of replacedTexts(answer)) {
      const told = plain.newestWith(text.longest);
      if (told === undefined) continue;
      this.#counts.needed += 1;
      this.#union(text, told.place, { plain, view });
      if (view.shows(text.longest)) {
        this.#counts.neededMet += 1;
        continue;
      }
      missed.push(missedLine(text, told.place));
      fetched.set(told.place, told.chars);
      this.#missedFiles.add(text.file);
    }
    return { missed, fetchedChars: [...fetched.values()] };
  }

  /** A text of which every line stood somewhere, not all in one place. */
  #union(
    { lines }: ReplacedText,
    likely: number,
    { plain, view }: { readonly plain: PlainLog; readonly view: Pick<InView, "shows"> },
  ): void {
    if (!lines.every((line) => plain.has(line, likely))) return;
    this.#counts.union += 1;
    if (lines.every((line) => view.shows(line))) this.#counts.unionMet += 1;
  }
}

function missedLine({ longest, file }: ReplacedText, place: number): MissedLine {
  const line = longest.slice(0, limits.missedLineCharsMax);
  return { line, place, file: file.slice(0, limits.targetCharsMax) };
}
