import { createHash } from "node:crypto";
import type { Piece } from "./session-source.ts";

/** The record of an entry that an earlier import took in. */
export interface EntryMark {
  /** The begin of the SHA-256 over all entries up to it. */
  readonly sum: string;
  /** The number of its step. */
  readonly step: number | undefined;
}

const sumChars = 12;

export const markSum = (digest: string): string => digest.slice(0, sumChars);

export function marksText(marks: readonly EntryMark[]): string {
  return marks.map(({ sum, step }) => (step === undefined ? sum : `${sum}:${step}`)).join(" ");
}

export function marksIn(text: string): readonly EntryMark[] {
  return text.split(" ").map((mark) => {
    const [sum = "", step] = mark.split(":");
    return { sum, step: step === undefined ? undefined : Number(step) };
  });
}

/** How many pieces say what was marked, from the first one on. */
export function knownPieces(pieces: Iterable<Piece>, marks: readonly EntryMark[]): number {
  const sum = createHash("sha256");
  let known = 0;
  for (const { said } of pieces) {
    sum.update(said).update("\n");
    if (marks[known]?.sum !== markSum(sum.copy().digest("hex"))) break;
    known += 1;
  }
  return known;
}
