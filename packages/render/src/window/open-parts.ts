import {
  type AssistantEntry,
  argsPart,
  type ContextView,
  type LogChanges,
  type LogEntry,
  type LogTable,
  type RecalledEntry,
  type ResultEntry,
  resultPart,
} from "@cm/context-log";
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
  readonly #open = new Map<string, OpenPart>();
  /** The newest step that read or changed a file. */
  readonly #touched = new Map<string, number>();
  /** The file that an output shows, by its object. */
  readonly #files = new Map<string, string>();

  /** Looks at what is new and at what changed its form. */
  update(view: ContextView, { from, to, parts }: LogChanges): void {
    for (const part of parts) this.#look(view, Number.parseInt(part, 10));
    for (let at = from; at < to; at += 1) {
      const entry = view.log[at];
      if (entry?.kind === "result") this.#touch(entry);
      this.#look(view, at);
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

const open: LogTable<OpenParts> = {
  name: "open parts",
  create: () => new OpenParts(),
  update: (facts, view, changes) => facts.update(view, changes),
};

export const openPartsIn = (view: ContextView): OpenParts => view.index.table(open, view);
