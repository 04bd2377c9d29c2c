import { type ContextView, callOfPart, type LogEntry, type LogTable, textsIn } from "@cm/context-log";
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
  /** Places of parts in the log, ascending, by word; of most words there is one, which takes no list. */
  readonly #byWord = new Map<number, number | number[]>();
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
    let rarest: readonly number[] | undefined;
    eachWord(line, ({ hash, start, end }) => {
      // A word at either end may be a piece of a longer one.
      if (start === 0 || end === line.length) return;
      const known = this.#byWord.get(hash) ?? [];
      const places = typeof known === "number" ? [known] : known;
      if (rarest === undefined || places.length < rarest.length) rarest = places;
    });
    if (rarest === undefined) return this.#parts.filter(({ object }) => object !== undefined);
    const found = rarest.flatMap((place) => this.#parts[place] ?? []);
    return this.#unindexed.length === 0 ? found : [...found, ...this.#unindexed].sort((a, b) => a.before - b.before);
  }

  #index(text: string, place: number): void {
    eachWord(text, ({ hash }) => {
      const known = this.#byWord.get(hash);
      if (known === undefined) this.#byWord.set(hash, place);
      else if (typeof known !== "number") {
        if (known.at(-1) !== place) known.push(place);
      } else if (known !== place) this.#byWord.set(hash, [known, place]);
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
