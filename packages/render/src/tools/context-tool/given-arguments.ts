import { defined } from "@cm/object-model";
import { type ContextAction, contextActions } from "./context-tool.ts";

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
  const action = contextActions.find((one) => one === said) ?? (Object.hasOwn(synonyms, said) ? synonyms[said] : said);
  const lines = words("lines").join("-") || undefined;
  if (action === undefined || !isAction(action)) return said;
  return { action, id, lines, match: text("match") };
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
  return {
    action,
    ...defined({ id: names, lines, match }),
  };
}

const isAction = (text: string): text is ContextAction => contextActions.some((one) => one === text);

function wordsOf(value: unknown): readonly string[] {
  const words: readonly unknown[] = Array.isArray(value) ? value : [value];
  return words
    .filter((word) => typeof word === "string" || typeof word === "number")
    .map(String)
    .filter((word) => word.trim() !== "");
}
