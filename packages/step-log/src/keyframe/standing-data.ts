import type { OmittedEntry } from "@cm/context-log";
import {
  byName,
  type FlatObject,
  type FlatState,
  type Key,
  type ListedState,
  type TableName,
  tableNames,
} from "@cm/context-log/state";
import type { JsonValue } from "@cm/object-model";

/**
 * What of a flat state stands in the prompt: whole without the keyframes before, and as long as the prompt, however long
 * the session is. Of what left the prompt it has what a layout says of it. Plain data.
 */
export interface StandingState {
  readonly version: 1;
  readonly rest: FlatState["rest"];
  /** The steps of which something stands, and those before them, at their places on the path. */
  readonly steps: readonly StandingStep[];
  readonly objects: readonly (readonly [place: number, object: FlatObject])[];
  /** How many short names were given. */
  readonly names: { readonly file: number; readonly toolcall: number };
  readonly folds: readonly JsonValue[];
  readonly tables: Partial<Record<TableName, readonly (readonly [Key, JsonValue])[]>>;
  readonly gone: readonly GoneEntries[];
}

/** With its own hash, which is empty for the newest step, and for one of which nothing stands. */
export type StandingStep = readonly [
  place: number,
  session: string,
  n: number,
  hash: string,
  end: number,
  turn: number,
  flags: number,
];

/** Entries that follow each other and left the prompt: what they were, in no order, and the turns of the first and the last. */
export type GoneEntries = readonly [
  at: number,
  count: number,
  firstTurn: number,
  lastTurn: number,
  prompts: number,
  answers: number,
  calls: readonly (readonly [tool: string, count: number])[],
];

/** As a flat state, whose rows have holes where nothing stands. */
export interface StandingFlat extends ListedState {
  readonly standing: StandingState;
}

export function standingFlat(standing: StandingState): StandingFlat {
  const { rest, folds, tables } = standing;
  return {
    rest,
    rows: { steps: [], objects: [], folds },
    tables: byName(tableNames, (name) => new Map(tables[name] ?? [])),
    standing,
  };
}

/** Entries in place of those that left, as many of each kind: what they were in detail is in the keyframes before. */
export function putGone(log: (OmittedEntry | unknown)[], gone: StandingState["gone"]): void {
  for (const [from, count, first, last, prompts, answers, calls] of gone) {
    let at = from;
    const put = (many: number, was: Pick<OmittedEntry, "was" | "tool">): void => {
      const end = Math.min(at + many, from + count);
      for (; at < end; at += 1)
        log[at] = { kind: "omitted", ...was, at, step: 0, turn: at === from ? first : last, chars: 0 };
    };
    put(prompts, { was: "user" });
    put(answers, { was: "assistant" });
    for (const [tool, many] of calls) put(many, { was: "result", tool });
    put(count, { was: "note" });
  }
}
