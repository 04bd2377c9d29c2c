import { defined } from "@cm/object-model";
import type { LogEntry, NoteEntry, RecalledEntry } from "./log-entries.ts";
import { type ToldEntry, toldEntries } from "./told-notes.ts";
import type { ContextView, PromptDecision, Recall } from "./view.ts";

/**
 * The entries that a decision appends to the log, as they stand in this request and in every later one: what it brings
 * back, then what else it tells.
 */
export function appendedEntries(view: ContextView, decision: PromptDecision): readonly (RecalledEntry | ToldEntry)[] {
  const recalled = recalledEntries(view, decision);
  const { step, turn, log } = view;
  const place = { at: log.length + recalled.length, step, turn, into: newestResult(log) };
  return [...recalled, ...toldEntries(decision, place)];
}

/** Each recalled object with the text it has in the view. Objects without text are passed over. */
export function recalledEntries(view: ContextView, decision: PromptDecision): readonly RecalledEntry[] {
  const texts = (decision.recall ?? []).flatMap((recall) => {
    const recalled = recalledText(view, recall);
    return recalled === undefined ? [] : [{ ...recall, ...recalled }];
  });
  return texts.map((recalled, place) => ({
    kind: "recalled",
    at: view.log.length + place,
    step: view.step,
    turn: view.turn,
    ...recalled,
  }));
}

/** The text that a recall brings back, and what is said of it. Undefined where there is none. */
export function recalledText(
  { objects, log }: Pick<ContextView, "objects" | "log">,
  { object, input }: Pick<Recall, "object" | "input">,
): Pick<RecalledEntry, "text" | "path" | "textless"> | undefined {
  const { kind, path, textless, text = null } = objects.get(object) ?? {};
  if (input === true) {
    const written = inputText(log, object);
    return written === "" ? undefined : { text: written };
  }
  if (text === null) return undefined;
  return {
    text,
    ...(kind === "file" ? { path: path ?? "" } : {}),
    ...defined({ textless }),
  };
}

/** Shorter texts of arguments are never cut. */
const cutCharsMin = 100;

/** The longer texts in the arguments of a call, in their order. */
function inputText(log: readonly LogEntry[], object: string): string {
  const asked = log.findLast(
    (entry) => entry.kind === "assistant" && entry.calls.some((call) => call.object === object),
  );
  const call = asked?.kind === "assistant" ? asked.calls.find((one) => one.object === object) : undefined;
  return textsIn(call?.args)
    .filter(({ length }) => length >= cutCharsMin)
    .join("\n");
}

/** Every text in the arguments of a call, in their order. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Where the newest result of a log stands: what is told at the tail is told there. -1 before the first, which is nowhere. */
export function newestResult(log: readonly LogEntry[]): number {
  return log.findLastIndex(({ kind }) => kind === "result");
}

/** True for a note of ours, which is no message and stands at the end of a result. */
export const isNote = (entry: LogEntry): entry is NoteEntry => "into" in entry;
