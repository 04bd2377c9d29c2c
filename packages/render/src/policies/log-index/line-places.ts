import { type ContextView, type LogChanges, type LogTable, placeOfPart } from "@cm/context-log";
import { textLines } from "@cm/tool-calls";
import { countedText } from "../../layouts/log/shorter-output.ts";
import { limits } from "../../limits.ts";
import { partsOf } from "./log-parts.ts";
import type { Part } from "./part.ts";

/** Shorter lines stand nearly everywhere. */
const lineCharsMin = 3;
/** So many places of one line are known, the newest. */
const placesMax = 8;
/** More lines than any text has that is searched. */
const linesPerPart = 2 ** 20;

export interface LinePlace {
  readonly part: Part;
  readonly line: number;
}

/**
 * Where the lines of texts stand that are in view in full: outputs, and what calls write. A text leaves the index as soon as
 * it takes a form that does not show it, so that the index is no larger than the prompt. Lines are known by a hash.
 */
export class LinePlaces {
  readonly #byLine = new Map<number, number | number[]>();
  readonly #numbers = new Map<string, number>();
  readonly #parts: Part[] = [];

  update(view: ContextView, { from, to, parts }: LogChanges): void {
    const log = partsOf(view);
    for (const key of parts) {
      const part = log.partsAt(placeOfPart(key)).find((one) => one.key === key);
      if (part === undefined || part.at >= from) continue;
      const stands = standsWhole(view, part);
      if (stands !== this.#numbers.has(key)) stands ? this.#add(view, part) : this.#remove(view, part);
    }
    for (let at = from; at < to; at += 1)
      for (const part of log.partsAt(at)) if (standsWhole(view, part)) this.#add(view, part);
  }

  /** The newest places of a line, the newest first; a reader compares the lines themselves. */
  placesOf(line: string): readonly LinePlace[] {
    if (line.trim().length < lineCharsMin) return [];
    const known = this.#byLine.get(hashOf(line));
    if (known === undefined) return [];
    return listed(known).map((place) => ({
      part: this.#parts[Math.floor(place / linesPerPart)] as Part,
      line: place % linesPerPart,
    }));
  }

  #add(view: ContextView, part: Part): void {
    const number = this.#parts.push(part) - 1;
    this.#numbers.set(part.key, number);
    for (const [line, hash] of hashes(view, part)) {
      const known = this.#byLine.get(hash);
      const place = number * linesPerPart + line;
      this.#byLine.set(hash, known === undefined ? place : [place, ...listed(known)].slice(0, placesMax));
    }
  }

  #remove(view: ContextView, part: Part): void {
    const number = this.#numbers.get(part.key);
    this.#numbers.delete(part.key);
    for (const [, hash] of hashes(view, part)) {
      const known = this.#byLine.get(hash);
      if (known === undefined) continue;
      const left = listed(known).filter((place) => Math.floor(place / linesPerPart) !== number);
      const [only] = left;
      if (only === undefined) this.#byLine.delete(hash);
      else this.#byLine.set(hash, left.length === 1 ? only : left);
    }
  }
}

const listed = (known: number | number[]): readonly number[] => (typeof known === "number" ? [known] : known);

function standsWhole(view: ContextView, { key }: Part): boolean {
  const form = view.forms.get(key)?.form;
  return form === undefined || form === "sparse";
}

function hashes(view: ContextView, { at, key }: Part): readonly (readonly [line: number, hash: number])[] {
  const text = countedText(view.log[at], key);
  if (text === undefined || text.length > limits.searchedCharsMax) return [];
  return textLines(text).flatMap(({ text: line }, place) =>
    line.trim().length < lineCharsMin ? [] : [[place, hashOf(line)] as const],
  );
}

function hashOf(line: string): number {
  let hash = line.length;
  for (let place = 0; place < line.length; place += 1) hash = (Math.imul(hash, 31) + line.charCodeAt(place)) | 0;
  return hash;
}

const lines: LogTable<LinePlaces> = {
  name: "lines",
  create: () => new LinePlaces(),
  update: (facts, view, changes) => facts.update(view, changes),
};

/** The index of a view's log. */
export const linePlacesOf = (view: ContextView): LinePlaces => view.index.table(lines, view);
