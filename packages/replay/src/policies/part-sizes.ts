import {
  argsPart,
  type ContextView,
  type LogEntry,
  type PartForm,
  type PromptMessage,
  type Renderer,
  resultPart,
} from "@cm/context-log";
import { recalledChars } from "../measure/recalled-chars.ts";

/** About four characters are one token, in code and prose of English; providers and Pi estimate alike. */
export const charsPerToken = 4;

export const folded: PartForm = { form: "reference" };

export type Forms = Readonly<Record<string, PartForm>>;

/** An entry of the log that would be shorter with its parts as references. */
export interface OpenEntry {
  readonly at: number;
  readonly step: number;
  readonly turn: number;
  readonly kind: "result" | "assistant" | "recalled";
  /** Those of its parts that are no references yet. */
  readonly parts: readonly string[];
  /** Characters of its message now, without what that brings back, and what it would lose. */
  readonly chars: number;
  readonly saves: number;
}

/**
 * The foldable parts under a layout, in order of the log. Each message is measured by rendering it both ways, so the
 * sizes are true under any layout; one that a layout does not fold saves nothing and is left out.
 */
export function openEntries(view: ContextView, renderer: Renderer, begins: Forms = {}): readonly OpenEntry[] {
  const candidates = view.log.flatMap((entry) => {
    const parts = partsOf(entry).filter((part) => (begins[part] ?? view.forms.get(part))?.form !== "reference");
    return hasForms(entry) && parts.length > 0 ? [{ entry, parts }] : [];
  });
  const asReferences = referencesTo(candidates);
  const now = messagesByEntry(renderer.render(view, { forms: begins }).messages);
  const then = messagesByEntry(renderer.render(view, { forms: { ...begins, ...asReferences } }).messages);
  return candidates.flatMap(({ entry, parts }) => {
    const { at, step, turn, kind } = entry;
    // A text that was brought back stands in the message of a result and leaves nothing behind.
    if (entry.kind === "recalled") {
      return [{ at, step, turn, kind, parts, chars: entry.text.length, saves: entry.text.length }];
    }
    const chars = ownChars(now.get(at));
    const saves = chars - ownChars(then.get(at) ?? now.get(at));
    return saves > 0 ? [{ at, step, turn, kind, parts, chars, saves }] : [];
  });
}

/** Without what a result brings back. */
function ownChars(message: PromptMessage | undefined): number {
  if (message === undefined) return 0;
  return [...recalledChars(message).values()].reduce((left, chars) => left - chars, message.chars);
}

/** The same for outputs of tools alone. */
export function openResults(view: ContextView, renderer: Renderer, begins: Forms = {}): readonly OpenEntry[] {
  return openEntries(view, renderer, begins).filter(({ kind }) => kind === "result");
}

/** The forms that fold these entries. */
export function referencesTo(entries: readonly Pick<OpenEntry, "parts">[]): Forms {
  return Object.fromEntries(entries.flatMap(({ parts }) => parts.map((part) => [part, folded])));
}

/** The parts of an entry that have forms: its output, or the arguments of each of its calls. */
export function partsOf(entry: LogEntry): readonly string[] {
  if (entry.kind === "assistant") return entry.calls.map((_, call) => argsPart(entry.at, call));
  return hasForms(entry) ? [resultPart(entry.at)] : [];
}

type FormedEntry = Extract<LogEntry, { readonly kind: OpenEntry["kind"] }>;

const hasForms = (entry: LogEntry): entry is FormedEntry =>
  entry.kind === "assistant" || entry.kind === "result" || entry.kind === "recalled";

/** The messages of a prompt by the entry they show; those of the layout itself are left out. */
function messagesByEntry(messages: readonly PromptMessage[]): ReadonlyMap<number, PromptMessage> {
  return new Map(
    messages.flatMap((message) => {
      const at = placeOf(message);
      return at === undefined ? [] : [[at, message] as const];
    }),
  );
}

/** The log entry that a message shows: the ids that layouts give begin with its place. */
export function placeOf({ id }: PromptMessage): number | undefined {
  const at = Number.parseInt(id, 10);
  return Number.isNaN(at) ? undefined : at;
}
