import { defined } from "@cm/object-model";
import { type ContextAction, contextActions } from "./context-tool.ts";
import { contextToolLimits } from "./limits.ts";

/** What a call asks for, once what some models write differently is read. */
export interface GivenArguments {
  readonly action: ContextAction;
  /** Names as they were given: one text, or the members of a list. */
  readonly id: readonly string[];
  readonly lines: string | undefined;
  readonly match: string | undefined;
}

/** Verbs of other tools, and of this one before. */
const synonyms: Readonly<Record<string, ContextAction>> = {
  activate: "show",
  recall: "show",
  restore: "show",
  read: "show",
  deactivate: "release",
  fold: "release",
  search: "list",
  find: "list",
};

/**
 * Reads lists, numbers and empty texts, so that a call is not lost for its form. What is of no use counts as not given.
 * A text is returned where it names no action.
 */
export function givenArguments(value: unknown): GivenArguments | string {
  const given = new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
  const words = (name: string): readonly string[] => wordsOf(given.get(name));
  const text = (name: string): string | undefined => words(name).join(" ") || undefined;
  const id = words("id").length > 0 ? words("id") : words("ids");
  const said = text("action")?.trim().toLowerCase() ?? (id.length > 0 ? "show" : "list");
  const action =
    contextActions.find((one) => one === said) ?? (Object.hasOwn(synonyms, said) ? synonyms[said] : undefined);
  const lines = words("lines").join("-") || undefined;
  return action === undefined ? said : { action, id, lines, match: text("match") };
}

/**
 * The same for harnesses that hold arguments against the schema before the tool sees them: texts alone, lists with
 * their members quoted where these have blanks. An action that is none stays for that check to name.
 */
export function preparedArguments(value: unknown): {
  action?: ContextAction;
  id?: string;
  lines?: string;
  match?: string;
} {
  const given = givenArguments(value);
  // What a schema refuses is typed as what it takes.
  if (typeof given === "string") return { action: given as ContextAction };
  const { action, id, lines, match } = given;
  const [only, ...others] = id;
  const names = others.length === 0 ? only : id.map((name) => (/\s/.test(name) ? `"${name}"` : name)).join(" ");
  return { action, ...defined({ id: names, lines, match }) };
}

function wordsOf(value: unknown): readonly string[] {
  const words: readonly unknown[] = Array.isArray(value) ? value : [value];
  return words
    .filter((word) => typeof word === "string" || typeof word === "number")
    .map(String)
    .filter((word) => word.trim() !== "");
}

/** Names that a call gave, or the sentence that says why they cannot be read. */
type ObjectNames =
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
  const parts = given.length === 1 ? namesIn(given[0] ?? "") : given;
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

function namesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/"[^"]+"|'[^']+'|`[^`]+`|\bturn \d+|[^\s,;]+/gi), ([word]) => word);
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
