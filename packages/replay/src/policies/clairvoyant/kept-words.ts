import { withoutNumber } from "../../measure/citations.ts";
import { namesIn } from "../../measure/names.ts";

/** The parts of a text that stay with its reference. */
export interface KeptWords {
  readonly lines: readonly string[];
  /** Names of which every line is too long to keep. */
  readonly names: readonly string[];
  readonly chars: number;
}

const lineCharsMax = 160;
/** The length that a reference adds around a line or a name. */
const frameChars = 3;

/** The lines of an output that hold these names, those first that hold most for their length. */
export function wordsKept(text: string, names: readonly string[]): KeptWords {
  const missing = new Set(names);
  const lines = names.length === 0 ? [] : chosenLines(text, missing);
  const chars = [...lines, ...missing].reduce((sum, kept) => sum + kept.length + frameChars, 0);
  return { lines, names: [...missing], chars };
}

/** Takes what the chosen lines hold from what is missing. */
function chosenLines(text: string, missing: Set<string>): readonly string[] {
  const candidates = [...new Set(text.split("\n").map(withoutNumber))].flatMap((line) => {
    const held = line.length > lineCharsMax ? [] : [...namesIn(line)].filter((name) => missing.has(name));
    return held.length === 0 ? [] : [{ line, held, worth: held.length / line.length }];
  });
  const chosen: string[] = [];
  for (const { line, held } of candidates.sort((a, b) => b.worth - a.worth)) {
    if (!held.some((name) => missing.has(name))) continue;
    chosen.push(line);
    for (const name of held) missing.delete(name);
  }
  return chosen;
}
