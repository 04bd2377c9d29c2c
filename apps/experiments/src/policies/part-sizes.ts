import {
  type ContextView,
  type PartForm,
  type PromptMessage,
  type Renderer,
  type ResultEntry,
  resultPart,
} from "@cm/object-model";

/** About four characters are one token, in code and prose of English; providers and Pi estimate alike. */
export const charsPerToken = 4;

export const folded: PartForm = { form: "reference" };

type Forms = Readonly<Record<string, PartForm>>;

/** A result that stands in the prompt with its text. */
export interface OpenResult {
  readonly entry: ResultEntry;
  /** What its message would lose as a reference; below zero where the reference is longer. */
  readonly saves: number;
}

/** Results that are not references yet, in order of the log. Measured by rendering both ways, so sizes are true. */
export function openResults(view: ContextView, renderer: Renderer, begins: Forms = {}): readonly OpenResult[] {
  const results = view.log.filter((entry) => entry.kind === "result");
  const open = results.filter(({ at }) => view.forms.get(resultPart(at))?.form !== "reference");
  const now = charsByEntry(renderer.render(view, { forms: begins }).messages);
  const then = charsByEntry(renderer.render(view, { forms: { ...begins, ...referencesTo(open) } }).messages);
  return open.map((entry) => ({ entry, saves: (now.get(entry.at) ?? 0) - (then.get(entry.at) ?? 0) }));
}

export function referencesTo(entries: readonly ResultEntry[]): Forms {
  return Object.fromEntries(entries.map(({ at }) => [resultPart(at), folded]));
}

/** The log entry that a message shows; undefined for one of the layout's own. Ids of messages begin with the place. */
export function entryOf({ id }: PromptMessage): number | undefined {
  const at = Number.parseInt(id, 10);
  return Number.isNaN(at) ? undefined : at;
}

function charsByEntry(messages: readonly PromptMessage[]): ReadonlyMap<number, number> {
  return new Map(messages.map((message) => [entryOf(message) ?? -1, message.chars]));
}
