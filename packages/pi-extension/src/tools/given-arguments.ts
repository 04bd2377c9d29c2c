/** Arguments of a call as some models write them: lists, numbers, and empty texts for what they do not need. */
export interface GivenArguments {
  text(name: string): string | undefined;
  flag(name: string): boolean | undefined;
}

/** Reads what came, so that a call is not lost for its form. What is of no use counts as not given. */
export function givenArguments(value: unknown): GivenArguments {
  const given = new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
  return {
    text: (name) => wordsOf(given.get(name)),
    flag: (name) => flagOf(given.get(name)),
  };
}

function wordsOf(value: unknown): string | undefined {
  const words = Array.isArray(value) ? value : [value];
  const text = words.filter((word) => typeof word === "string" || typeof word === "number").join(" ");
  return text === "" ? undefined : text;
}

function flagOf(value: unknown): boolean | undefined {
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : undefined;
}
