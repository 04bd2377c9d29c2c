import { type SecretName, secretNames } from "./secret-words.ts";

/** Letters with accents, and what is written in their place. */
const accents: Readonly<Record<string, readonly string[]>> = {
  ä: ["ä", "ae", "a"],
  ö: ["ö", "oe", "o"],
  ü: ["ü", "ue", "u"],
  ñ: ["ñ", "ny", "ni", "n"],
  é: ["é", "e"],
  è: ["è", "e"],
  ł: ["ł", "l"],
  ó: ["ó", "o"],
  ş: ["ş", "s"],
  ă: ["ă", "a"],
  ž: ["ž", "z"],
  õ: ["õ", "o"],
  ậ: ["ậ", "a"],
  ẩ: ["ẩ", "a"],
};
/** Patterns of names whose words are joined by `joint`. */
export function patternsOf(names: readonly SecretName[], joint: string): readonly string[] {
  return names.map(({ begin, rest }) => patternOf(begin + rest, joint));
}

/**
 * By which four characters or less a text is told to hold one of the names; none of them holds another. Names that say
 * little are only read beside others.
 */
export const seenNames: readonly string[] = seenIn(secretNames.filter(({ strength }) => strength > 1));

/** Patterns of the names of what people think up, from where they are seen: always, or with digits. */
export function thoughtUpPatterns(thoughtUp: true | "digits"): readonly string[] {
  const joint = "[_. -]?";
  const names = secretNames.filter((one) => one.thoughtUp === thoughtUp);
  const begins = new Map<string, string[]>();
  for (const { begin, rest } of names) {
    const tail = patternOf(rest, joint);
    begins.set(tail, [...(begins.get(tail) ?? []), patternOf(begin, joint)]);
  }
  return [...begins].map(([tail, all]) => (all.includes("") ? tail : `${tail}(?<=(?:${all.join("|")})${tail})`));
}

function patternOf(name: string, joint: string): string {
  return [...name]
    .map((char) => (char === "_" ? joint : accents[char] === undefined ? char : `(?:${accents[char].join("|")})`))
    .join("");
}

/** All ways to write a name, whose words join with a sign, a blank or nothing. */
function spellings(name: string): readonly string[] {
  return [...name].reduce<readonly string[]>(
    (all, char) => {
      const ways = char === "_" ? ["", " ", "_"] : (accents[char] ?? [char]);
      return all.flatMap((begin) => ways.map((way) => begin + way));
    },
    [""],
  );
}

function seenIn(names: readonly SecretName[]): readonly string[] {
  const seen: string[] = [];
  for (const { begin, rest } of [...names].sort((a, b) => a.rest.length - b.rest.length)) {
    for (const spelling of spellings(rest)) {
      const whole = begin + spelling;
      if (seen.some((one) => (one.length > 2 ? whole.includes(one) : spelling === one))) continue;
      // "article", "clear".
      if (!/^cle[^_]/.test(spelling)) seen.push(spelling.slice(0, 4));
    }
  }
  return seen;
}
