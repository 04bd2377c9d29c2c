import type { AnyDocument, AnyLine } from "../support/lines.ts";
import type { Sample } from "../support/sample.ts";

/** Invented bytes, and the code of their refusal; no code if any refusal is right. */
export interface Attack {
  readonly title: string;
  readonly code?: string;
  readonly bytes: () => Buffer;
}

export interface Material extends Sample {
  /** The lines of the sample; take copies. */
  readonly lines: () => AnyLine[];
}

/** The first line of a type, and its place. */
export function first(lines: readonly AnyLine[], type: string): number {
  return lines.findIndex(({ document }) => document?.type === type);
}

export function documentAt(lines: readonly AnyLine[], place: number): AnyDocument {
  const document = lines[place]?.document;
  if (document === undefined) throw new Error(`Line ${place + 1} of the sample has no document.`);
  return document;
}

/** The sample with another document in place of the first of a type. */
export function withDocument(
  lines: AnyLine[],
  type: string,
  change: (document: AnyDocument) => AnyDocument,
): AnyLine[] {
  const place = first(lines, type);
  lines[place] = { ...lines[place], document: change(documentAt(lines, place)) };
  return lines;
}
