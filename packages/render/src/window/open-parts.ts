import {
  type AssistantEntry,
  argsPart,
  type CallEntry,
  type ContextView,
  type LogEntry,
  type RecalledEntry,
  type ResultEntry,
  resultPart,
} from "@cm/object-model";
import { ChangedParts } from "../log-messages/changed-parts.ts";
import { bytesInForms } from "./kept-bytes.ts";

/** A part of a log, and what it shows. */
export interface OpenPart {
  readonly key: string;
  readonly entry: AssistantEntry | ResultEntry | RecalledEntry;
  /** Of arguments the call's place; undefined for an output. */
  readonly call: number | undefined;
}

/**
 * The parts of a log that a reference would make lighter, kept from one look to the next: late in a session nearly all
 * others are references already or too short for one.
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
    if (entry.kind === "assistant") return onlyFile(entry.calls[call ?? 0]);
    return this.#touched.has(entry.object) ? entry.object : this.#files.get(entry.object);
  }

  /** The newest step that read or changed its file; its own where it has none. */
  touched(part: OpenPart): number {
    const file = this.fileOf(part);
    return Math.max(part.entry.step, file === undefined ? -1 : (this.#touched.get(file) ?? -1));
  }

  #touch(entry: ResultEntry): void {
    // A search that names many files shows none of them.
    const file = entry.spans[0]?.file ?? onlyFile(entry);
    if (file === undefined) return;
    this.#touched.set(file, entry.step);
    this.#files.set(entry.object, file);
  }

  #look(view: ContextView, at: number): void {
    for (const part of openPartsOf(view.log[at])) {
      if (isLighterFolded(view, part)) this.#open.set(part.key, part);
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

function isLighterFolded(view: ContextView, { key, entry }: OpenPart): boolean {
  if (view.forms.get(key)?.form === "reference") return false;
  const now = bytesInForms(view, entry, (part) => view.forms.get(part));
  return bytesInForms(view, entry, (part) => (part === key ? { form: "reference" } : view.forms.get(part))) < now;
}

const onlyFile = (call: Pick<CallEntry, "files"> | undefined): string | undefined =>
  call?.files.length === 1 ? call.files[0] : undefined;

const openOfLog = new WeakMap<readonly LogEntry[], OpenParts>();

/** The log grows at its end and is the same array in every view of an open session. */
export function openPartsIn(view: ContextView): OpenParts {
  const open = openOfLog.get(view.log) ?? new OpenParts();
  openOfLog.set(view.log, open);
  open.update(view);
  return open;
}
