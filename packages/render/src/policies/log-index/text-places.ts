import { type ContextView, callOfPart, type LogEntry, type LogTable, NumberColumn, textsIn } from "@cm/context-log";
import { limits } from "../../limits.ts";
import { type LogParts, partsOf } from "./log-parts.ts";
import type { Part } from "./part.ts";

/** Shorter words stand nearly everywhere. */
const wordCharsMin = 4;

/**
 * Which parts of a log may hold a piece of text: an index of words, so that an edit is not looked for in the whole
 * session. Words are known by a hash; a reader looks into the few texts that are left.
 */
export class TextPlaces {
  /** By word its newest finding, from 1 on: a list for each word would take more memory than all else that is known of a log. */
  readonly #byWord = new Map<number, number>();
  /** By finding: the place of the part, the finding before it of the same word, 0 for none, and how many there are up to it. */
  readonly #places = new NumberColumn(new Uint32Array());
  readonly #before = new NumberColumn(new Uint32Array());
  readonly #counts = new NumberColumn(new Uint32Array());
  /** Texts that are too long to be indexed. */
  readonly #unindexed: Part[] = [];
  #parts: readonly Part[] = [];
  #read = 0;

  /** Reads on to the end of the log. */
  update(view: ContextView, { parts }: LogParts): void {
    this.#parts = parts;
    for (; this.#read < parts.length; this.#read += 1) {
      const part = parts[this.#read];
      if (part?.object === undefined) continue;
      const texts = textsOf(view.log[part.at], part);
      if (texts.reduce((chars, text) => chars + text.length, 0) > limits.searchedCharsMax) this.#unindexed.push(part);
      else for (const text of texts) this.#index(text, this.#read);
    }
  }

  /** Of the parts that have an object those that may hold a line, in order of the log. */
  mayHold(line: string): readonly Part[] {
    let rarest: number | undefined;
    eachWord(line, ({ hash, start, end }) => {
      // A word at either end may be a piece of a longer one.
      if (start === 0 || end === line.length) return;
      const newest = this.#byWord.get(hash) ?? 0;
      if (rarest === undefined || this.#counts.at(newest - 1) < this.#counts.at(rarest - 1)) rarest = newest;
    });
    if (rarest === undefined) return this.#parts.filter(({ object }) => object !== undefined);
    const found = this.#found(rarest);
    return this.#unindexed.length === 0 ? found : [...found, ...this.#unindexed].sort((a, b) => a.before - b.before);
  }

  #found(newest: number): readonly Part[] {
    const found: Part[] = [];
    for (let finding = newest; finding > 0; finding = this.#before.at(finding - 1)) {
      const part = this.#parts[this.#places.at(finding - 1)];
      if (part !== undefined) found.push(part);
    }
    return found.reverse();
  }

  #index(text: string, place: number): void {
    eachWord(text, ({ hash }) => {
      const newest = this.#byWord.get(hash) ?? 0;
      if (newest > 0 && this.#places.at(newest - 1) === place) return;
      this.#places.push(place);
      this.#before.push(newest);
      this.#counts.push(this.#counts.at(newest - 1) + 1);
      this.#byWord.set(hash, this.#places.length);
    });
  }
}

/** The texts of a part as an edit would quote them. */
export function textsOf(entry: LogEntry | undefined, { key }: Pick<Part, "key">): readonly string[] {
  if (entry === undefined || !("text" in entry)) return [];
  if (entry.kind !== "assistant") return entry.text === null ? [] : [entry.text];
  return textsIn(entry.calls[callOfPart(key)]?.args);
}

interface Word {
  readonly hash: number;
  readonly start: number;
  readonly end: number;
}

function eachWord(text: string, visit: (word: Word) => void): void {
  for (let place = 0; place < text.length; place += 1) {
    const start = place;
    let hash = 0;
    for (; isInWord(text.charCodeAt(place)); place += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(place)) | 0;
    if (place - start >= wordCharsMin) visit({ hash, start, end: place });
  }
}

/** ASCII letters, digits and the underscore. */
const isInWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;

const texts: LogTable<TextPlaces> = {
  name: "texts",
  create: () => new TextPlaces(),
  update: (facts, view) => facts.update(view, partsOf(view)),
};

/** The index of a view's log. */
export const textPlacesOf = (view: ContextView): TextPlaces => view.index.table(texts, view);
