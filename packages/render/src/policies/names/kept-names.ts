import { nonEmpty } from "@cm/object-model";
import { limits } from "../../limits.ts";
import { namesIn, piecesOf } from "./names-in.ts";

/** Names and lines together may take this share of the folded text each, and no more characters than that. */
const keptShare = 0.2;
const namesCharsMax = 3_000;
const linesCharsMax = 1_000;
/** Longer names are seldom spelled again, and longer lines cost more than they tell. */
const nameCharsMax = 40;
const lineCharsMax = 140;
/** A line may take so many times the room of the names it shows. */
const lineFactorMax = 4;
/** What a line takes beside its text: its end. */
const lineEndChars = 1;
/** Lines that tell of a failure, beside lines that stay. */
const failureLinesMax = 2;
const failureLineCharsMax = 100;
/** All that is new in a text as short as this is kept. */
const shortCharsMax = 600;

/** What of a folded text stands beside its reference. */
export interface KeptNames {
  readonly names?: readonly string[];
  readonly lines?: readonly string[];
}

export interface KeptOptions {
  /** Names of the text that stand nowhere else, in the order of the text. */
  readonly fresh: readonly string[];
  /** False: only words. */
  readonly lines: boolean;
  /** True of what a command or tool said: where lines stay, those that tell of a failure do. */
  readonly failures?: boolean;
  /** The share of the folded text that names may take, and lines as well. Default: 0.2. */
  readonly share?: number;
  /** The part of the text whose lines may stand. Default: all of it. */
  readonly body?: string;
}

/**
 * The names of a text that stand nowhere else in view (SSOT 4.4 (3)), as few words as hold them all, those first that tell
 * most for their length. Where a short line of the text holds such names it stands instead: it says what they mean, not
 * only how they are spelled. Both in the order of the text.
 */
export function keptNames(text: string, options: KeptOptions): KeptNames {
  const { fresh: found, lines: withLines, failures, share: most = keptShare, body = text } = options;
  const fresh = new Set(found.filter((name) => name.length <= nameCharsMax));
  if (fresh.size === 0) return {};
  const share = text.length <= shortCharsMax ? namesCharsMax : text.length * most;
  const words = coveringWords(fresh, Math.min(share, namesCharsMax));
  const telling = withLines ? tellingLines(body, words, Math.min(share, linesCharsMax)) : [];
  const lines = linesInOrder(telling.length > 0 && failures === true ? [...telling, ...failureLines(text)] : telling);
  return nonEmpty({ names: found.filter((name) => words.has(name)), lines });
}

/** Names that together show all of them, pieces included, as far as there is room. */
function coveringWords(fresh: ReadonlySet<string>, charsMax: number): Set<string> {
  const candidates = [...fresh].map((name) => {
    const shows = [name, ...[...piecesOf(name)].filter((piece) => fresh.has(piece))];
    return { name, shows, worth: shows.length / (name.length + 1) };
  });
  candidates.sort((a, b) => b.worth - a.worth);
  const shown = new Set<string>();
  const words = new Set<string>();
  let chars = 0;
  for (const { name, shows } of candidates) {
    if (shows.every((piece) => shown.has(piece)) || chars + name.length + 1 > charsMax) continue;
    words.add(name);
    chars += name.length + 1;
    for (const piece of shows) shown.add(piece);
  }
  return words;
}

interface PlacedLine {
  /** Which line of the text it is. */
  readonly place: number;
  /** Without its number and the space around it. */
  readonly line: string;
}

interface TellingLine extends PlacedLine {
  /** The words that it shows. */
  readonly replaced: readonly string[];
  readonly chars: number;
  readonly factor: number;
}

const lineNumber = /^\s*\d+(?:→|\t|:|\|)/;

/** Short lines of a text that show some of the words. */
function linesWith(words: ReadonlySet<string>, text: string): TellingLine[] {
  const found: TellingLine[] = [];
  for (const [place, whole] of text.slice(0, limits.searchedCharsMax).split("\n").entries()) {
    const line = whole.replace(lineNumber, "").trim();
    if (line.length > lineCharsMax) continue;
    const replaced = [...namesIn(whole)].filter((name) => words.has(name));
    if (replaced.length === 0) continue;
    const chars = line.length + lineEndChars;
    found.push({ place, line, replaced, chars, factor: chars / wordsChars(replaced) });
  }
  return found;
}

/** Lines in place of words, the cheapest first; the words that they show are taken out. `charsMax` is for what they add. */
function tellingLines(text: string, words: Set<string>, charsMax: number): readonly PlacedLine[] {
  const candidates = linesWith(words, text);
  candidates.sort((a, b) => a.factor - b.factor);
  const lines: TellingLine[] = [];
  let added = 0;
  for (const candidate of candidates) {
    const { replaced, chars } = candidate;
    const spared = replaced.filter((name) => words.has(name));
    const more = chars - wordsChars(spared);
    if (spared.length === 0 || chars > lineFactorMax * wordsChars(spared) || added + more > charsMax) continue;
    lines.push(candidate);
    added += more;
    for (const name of spared) words.delete(name);
  }
  return lines;
}

const failureSign =
  /\bfail(?:ed|s|ures?)?\b|\b(?:error|exception|fatal)\w*:|\b\d+ errors?\b|\btraceback\b|\bpanicked\b|\bnot ok\b|[✗✕✘×]/i;

/** The first lines and the last one that tell of a failure: without them, lines that stay could read like a success. */
function failureLines(text: string): readonly PlacedLine[] {
  const found: PlacedLine[] = [];
  for (const [place, whole] of text.slice(0, limits.searchedCharsMax).split("\n").entries()) {
    const line = whole.trim();
    if (line.length <= failureLineCharsMax && failureSign.test(line)) found.push({ place, line });
  }
  return found.length <= failureLinesMax ? found : [...found.slice(0, failureLinesMax - 1), ...found.slice(-1)];
}

function linesInOrder(lines: readonly PlacedLine[]): readonly string[] {
  const byPlace = new Map(lines.map(({ place, line }) => [place, line]));
  return [...byPlace].sort(([a], [b]) => a - b).map(([, line]) => line);
}

const wordsChars = (words: readonly string[]): number => words.reduce((chars, word) => chars + word.length + 1, 0);
