import { type ContextView, type LogEntry, messageBytes, type PartForm } from "@cm/object-model";
import { ChangedParts } from "../log-messages/changed-parts.ts";
import { keptOfLog } from "../log-messages/kept-of-log.ts";
import { logMessage } from "../log-messages/log-message.ts";
import { fullForm } from "../log-messages/part-forms.ts";

/** What each entry of a log weighs in the forms that were sent, kept from request to request. */
export class KeptBytes {
  readonly #bytes: number[] = [];
  readonly #changed = new ChangedParts();
  /** Places whose text is gone: the line in its place may change. */
  readonly #textless = new Set<number>();
  total = 0;

  at(place: number): number {
    return this.#bytes[place] ?? 0;
  }

  /** Looks at what is new and at what changed its form. */
  update(view: ContextView): void {
    const changed = this.#changed.since(view);
    const known = this.#bytes.length;
    if (changed === undefined) for (let place = 0; place < known; place += 1) this.#weigh(view, place);
    for (const part of changed ?? []) this.#weigh(view, Number.parseInt(part, 10));
    for (const place of this.#textless) this.#weigh(view, place);
    for (let place = known; place < view.log.length; place += 1) this.#weigh(view, place);
  }

  #weigh(view: ContextView, place: number): void {
    const entry = view.log[place];
    if (entry === undefined) return;
    if (entry.kind === "result" && entry.text === null) this.#textless.add(place);
    const bytes = bytesInForms(view, entry, (part) => view.forms.get(part));
    this.total += bytes - this.at(place);
    this.#bytes[place] = bytes;
  }
}

/** What the message of an entry weighs when its parts stand in these forms. */
export function bytesInForms(
  view: ContextView,
  entry: LogEntry,
  formOf: (part: string) => PartForm | undefined,
): number {
  return messageBytes(logMessage(view, entry, (part) => formOf(part) ?? fullForm));
}

const bytesOfLog = keptOfLog(() => new KeptBytes());

export function keptBytesOf(view: ContextView): KeptBytes {
  const kept = bytesOfLog(view.log);
  kept.update(view);
  return kept;
}
