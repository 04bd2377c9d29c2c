import {
  type AssistantEntry,
  argsPart,
  type ContextView,
  type LogEntry,
  type RecalledEntry,
  type ResultEntry,
  resultPart,
} from "@cm/context-log";
import { ChangedParts } from "../log-messages/changed-parts.ts";
import { keptOfLog } from "../log-messages/kept-of-log.ts";
import { onlyFile } from "../log-messages/only-file.ts";
import { bytesInForms } from "./kept-bytes.ts";

/** A part of a log, and what it shows. */
export interface OpenPart {
  readonly key: string;
  readonly entry: AssistantEntry | ResultEntry | RecalledEntry;
  /** Of arguments the call's place; undefined for an output. */
  readonly call: number | undefined;
}

/**
 * The parts of a log that a reference would make lighter, and those that point at another; kept from one look to the next:
 * late in a session nearly all others are references already or too short for one.
 */
export class OpenParts {
  readonly #changed = new ChangedParts();
  readonly #open = new Map<string, OpenPart>();
  /** The newest step that read or changed a file. */
  readonly #touched = new Map<string, number>();
  /** The file that an output shows, by its object. */
  readonly #files = new Map<string, string>();
  #known = 0;

  /** Looks at what is new and at what changed its form. */
  update(view: ContextView): void {
    const changed = this.#changed.since(view);
    if (changed === undefined) for (let at = 0; at < this.#known; at += 1) this.#look(view, at);
    for (const part of changed ?? []) this.#look(view, Number.parseInt(part, 10));
    for (; this.#known < view.log.length; this.#known += 1) {
      const entry = view.log[this.#known];
      if (entry?.kind === "result") this.#touch(entry);
      this.#look(view, this.#known);
    }
  }

  get all(): Iterable<OpenPart> {
    return this.#open.values();
  }

  /** The file that it shows; undefined where it shows none, or many. */
  fileOf({ entry, call }: OpenPart): string | undefined {
    if (entry.kind === "assistant") return onlyFile(entry.calls[call ?? 0]?.files ?? []);
    return this.#touched.has(entry.object) ? entry.object : this.#files.get(entry.object);
  }

  /** The newest step that read or changed its file; its own where it has none. */
  touched(part: OpenPart): number {
    const file = this.fileOf(part);
    return Math.max(part.entry.step, file === undefined ? -1 : (this.#touched.get(file) ?? -1));
  }

  #touch(entry: ResultEntry): void {
    const file = entry.spans[0]?.file ?? onlyFile(entry.files);
    if (file === undefined) return;
    this.#touched.set(file, entry.step);
    this.#files.set(entry.object, file);
  }

  #look(view: ContextView, at: number): void {
    for (const part of openPartsOf(view.log[at])) {
      if (isOpen(view, part)) this.#open.set(part.key, part);
      else this.#open.delete(part.key);
    }
  }
}

/** All parts of an entry that can be folded at all. */
export function openPartsOf(entry: LogEntry | undefined): readonly OpenPart[] {
  if (entry?.kind === "assistant") {
    return [...entry.calls.keys()].map((call) => ({ key: argsPart(entry.at, call), entry, call }));
  }
  if (entry?.kind !== "result" && entry?.kind !== "recalled") return [];
  return [{ key: resultPart(entry.at), entry, call: undefined }];
}

function isOpen(view: ContextView, { key, entry }: OpenPart): boolean {
  const form = view.forms.get(key)?.form;
  if (form === "reference") return false;
  // However short it is: what it points at may not go without it.
  if (form === "same" || form === "diff") return true;
  const now = bytesInForms(view, entry, (part) => view.forms.get(part));
  return bytesInForms(view, entry, (part) => (part === key ? { form: "reference" } : view.forms.get(part))) < now;
}

const openOfLog = keptOfLog(() => new OpenParts());

export function openPartsIn(view: ContextView): OpenParts {
  const open = openOfLog(view.log);
  open.update(view);
  return open;
}
