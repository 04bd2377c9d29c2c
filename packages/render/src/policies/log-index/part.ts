import type { LogEntry } from "@cm/context-log";

/**
 * What kind of need a part serves, which sets its clock. `text` is what user and model said and never changes;
 * `brief` is output of commands, searches and unknown tools, and their arguments.
 */
export type PartClass = "text" | "brief" | "read" | "change" | "change-args" | "recalled";

/**
 * A part is folded only where its reference is shorter by more than this: less would not pay for a look back, and would take
 * away a short text that says whether an edit was made.
 */
export const worthFolding = 24;

/** What is rewritten anyway, such as a reference with names, is made shorter where that saves as much. */
export const worthRewriting = 8;

export const isWorthFolding = ({ chars, folded }: Pick<Part, "chars" | "folded">): boolean =>
  chars > folded + worthFolding;

/** A piece of the log that has a form of its own, or that only takes up room. */
export interface Part {
  /** As in `view.forms`; empty for what has no form. */
  readonly key: string;
  readonly at: number;
  readonly class: PartClass;
  readonly step: number;
  readonly turn: number;
  /** Characters in full, and as a reference. */
  readonly chars: number;
  folded: number;
  /**
   * False where the form must stay (attachments, a text that is gone, arguments that no object keeps) and where a
   * reference saves nothing.
   */
  foldable: boolean;
  readonly file: number | undefined;
  /** Of arguments: undefined until their call has its result. */
  object: string | undefined;
  /** Of a call's arguments and of its output. */
  readonly tool: string | undefined;
  /** Other objects whose text it brings back. */
  readonly shows: readonly string[];
  /** Arguments of a call, not text that a tool gave. */
  readonly isArgs: boolean;
  /** Its message carries thinking, which goes with it where it is shortened. */
  readonly isBesideThinking: boolean;
  /** Characters of an edit's arguments without what it replaced; known once it was made. */
  replaced: number | undefined;
  /** Characters of the log before it, everything in full. */
  readonly before: number;
}

/** File text, which the retention budget may keep: reads, edits and writes. */
export const isFileText = (part: Part): boolean => part.class !== "text" && part.class !== "brief";

/** Text of a file as it was read, also where it was brought back. */
export const isReadText = (part: Part): boolean => part.class === "read" || part.class === "recalled";

/** What happened to a file last. */
export interface Touch {
  step: number;
  turn: number;
  /** Place in the log of the newest successful edit or write; -1 for none. */
  editedAt: number;
  /** The parts that show text of the file, in order. */
  readonly parts: Part[];
}

const none: readonly string[] = [];

/** Facts of a part beside its place; by default it has no form of its own. */
export type PartFacts = Partial<Part> & Pick<Part, "class" | "chars">;

/**
 * A part of an entry. Always the same fields in the same order: there are many parts, and each request goes over those
 * that are open.
 */
export function partAt({ at, step, turn }: LogEntry, before: number, facts: PartFacts): Part {
  const { chars, folded = chars } = facts;
  return {
    key: facts.key ?? "",
    at,
    class: facts.class,
    step,
    turn,
    chars,
    folded,
    foldable: facts.foldable === true && isWorthFolding({ chars, folded }),
    file: facts.file,
    object: facts.object,
    tool: facts.tool,
    shows: facts.shows ?? none,
    isArgs: facts.isArgs ?? false,
    isBesideThinking: facts.isBesideThinking ?? false,
    replaced: undefined,
    before,
  };
}
