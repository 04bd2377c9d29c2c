import {
  type ContextView,
  isNote,
  type LogChanges,
  type LogEntry,
  type LogTable,
  messageBytes,
  NumberColumn,
  type PartForm,
  resultPart,
} from "@cm/context-log";
import { logMessage } from "../../layouts/log/log-message.ts";
import { noteText } from "../../layouts/log/notes.ts";
import { fullForm } from "../../layouts/log/part-forms.ts";

/** What each entry of a log weighs in the forms that were sent, kept from request to request. */
export class EntryBytes {
  readonly #bytes = new NumberColumn(new Uint32Array());
  /** Places whose text is gone: the line in its place may change. */
  readonly #textless = new Set<number>();
  total = 0;

  at(place: number): number {
    return this.#bytes.at(place);
  }

  /** Looks at what is new and at what changed its form. */
  update(view: ContextView, { from, to, parts }: LogChanges): void {
    for (const part of parts) this.#weigh(view, Number.parseInt(part, 10));
    // What left weighs nothing.
    for (let place = from; place < to; place += 1) if (view.log[place]?.kind !== "omitted") this.#weigh(view, place);
  }

  /** What stands in place of a text that is gone depends on its object, and no change of the log tells of that. */
  weighTextless(view: ContextView): void {
    for (const place of this.#textless) this.#weigh(view, place);
  }

  #weigh(view: ContextView, place: number): void {
    const entry = view.log[place];
    if (entry === undefined) return;
    if (entry.kind === "result" && entry.text === null) this.#textless.add(place);
    const bytes = bytesInForms(view, entry, (part) => view.forms.get(part));
    this.total += bytes - this.at(place);
    this.#bytes.set(place, bytes);
  }
}

/** What an entry weighs when its parts stand in these forms: its message, or what a note adds to the result it stands in. */
export function bytesInForms(
  view: ContextView,
  entry: LogEntry,
  formOf: (part: string) => PartForm | undefined,
): number {
  const formOr = (part: string): PartForm => formOf(part) ?? fullForm;
  if (isNote(entry)) {
    const note = noteText(view, entry, formOr(resultPart(entry.at)));
    return note === undefined ? 0 : Buffer.byteLength(note.text()) + 1;
  }
  const message = logMessage(view, entry, { formOf: formOr, notes: [] });
  return message === undefined ? 0 : messageBytes(message);
}

const bytes: LogTable<EntryBytes> = {
  name: "bytes",
  create: () => new EntryBytes(),
  update: (facts, view, changes) => facts.update(view, changes),
};

export function entryBytesOf(view: ContextView): EntryBytes {
  const kept = view.index.table(bytes, view);
  kept.weighTextless(view);
  return kept;
}
