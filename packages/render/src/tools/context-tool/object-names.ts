import { contextToolLimits } from "./limits.ts";

/** Names that a call gave, or the sentence that says why they cannot be read. */
export type ObjectNames =
  | {
      readonly names: readonly string[];
      /** The whole text where it may be one name with blanks in it: to be tried before the names. */
      readonly whole?: string;
    }
  | { readonly refused: string };

/**
 * The objects that a model names: `f3`, `f3 t7`, `f3..f9`, paths, quoted where they have blanks, or a list of any. Each
 * once, in the order given.
 */
export function objectNames(given: readonly string[]): ObjectNames {
  if (given.reduce((sum, text) => sum + text.length, 0) > contextToolLimits.idCharsMax) return tooMany;
  const parts = given.length === 1 ? wordsOf(given[0] ?? "") : given;
  const names = new Set<string>();
  for (const part of parts) {
    const expanded = range(bare(part));
    if (expanded === undefined) return tooMany;
    for (const name of expanded) names.add(name);
  }
  if (names.size === 0) return { refused: "Name an object, such as t7, f3 or a path; list shows what is known." };
  if (names.size > contextToolLimits.namesPerCallMax) return tooMany;
  const whole = given.length === 1 && names.size > 1 ? given[0]?.trim() : undefined;
  const isOneName = whole !== undefined && /[/\\.]/.test(whole) && ![...names].every(isAlias);
  return { names: [...names], ...(isOneName ? { whole } : {}) };
}

const tooMany: ObjectNames = { refused: `Name at most ${contextToolLimits.namesPerCallMax} objects in one call.` };

const isAlias = (name: string): boolean => /^[ft]\d+(?:\.input)?$/.test(name);

function wordsOf(text: string): readonly string[] {
  return Array.from(text.matchAll(/"[^"]+"|'[^']+'|`[^`]+`|[^\s,;]+/g), ([word]) => word);
}

function bare(word: string): string {
  return word
    .trim()
    .replace(/^[[("'`]*(?:id=)?["'`]*/, "")
    .replace(/[\])"'`,;]*\.?$/, "");
}

/** `f3..f9` one by one; undefined for too many. */
function range(word: string): readonly string[] | undefined {
  const [, kind, first, lastKind, last] = /^([ft])(\d{1,9})\.\.([ft])(\d{1,9})$/.exec(word) ?? [];
  if (kind === undefined || kind !== lastKind) return word === "" ? [] : [word];
  const count = Number(last) - Number(first) + 1;
  if (count < 1) return [word];
  if (count > contextToolLimits.namesPerCallMax) return undefined;
  return Array.from({ length: count }, (_, at) => `${kind}${Number(first) + at}`);
}
