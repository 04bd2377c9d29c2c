import { type Observation, type ObserveRequest, sha256 } from "@cm/object-model";
import type { FileEvidence } from "./file-evidence.ts";
import { fileTouchLimits as limits } from "./file-limits.ts";

type Known = { readonly sourceHash: string; readonly text: string | undefined };

/** Before the hash of a text that a tool told, so that it never counts as the hash of bytes that were read. */
const prefix = "tool:";

/**
 * What the agent's tools told of files that no source can look into: those of a sandbox outside of its mounts. Only
 * whole texts count (SSOT 5.6); what changed a file without saying what is in it now leaves it unread. A told text
 * holds until a call says otherwise: no source can check whether it still does.
 */
export class ToolReportedFiles {
  /** By the agent's path; the one that was told last is last. */
  readonly #files = new Map<string, Known>();
  #chars = 0;

  /** In the order of the calls. */
  take(path: string, told: FileEvidence): void {
    const before = this.#files.get(path);
    if ("whole" in told) this.#set(path, { sourceHash: prefix + sha256(told.whole), text: told.whole });
    // Lines that the known text does not have: it is another one by now.
    else if ("changed" in told) this.#set(path, changedFrom(before, told.changed));
    else if (before?.text !== undefined && !before.text.includes(told.part)) {
      this.#set(path, changedFrom(before, told.part));
    }
  }

  /** Undefined where nothing was told. What an earlier process was told holds as long as this one was not told more. */
  answer({
    binding,
    known,
    want,
  }: ObserveRequest<{ readonly type: string; readonly path: string }>): Observation | undefined {
    const told = this.#files.get(binding.path);
    const stored = known?.sourceHash?.startsWith(prefix) === true ? known.sourceHash : undefined;
    const sourceHash = told?.sourceHash ?? stored;
    if (sourceHash === undefined) return undefined;
    // It has been changed; nothing that a tool told of it before is kept, so nothing is out of date.
    if (stored === undefined && told?.text === undefined) return undefined;
    if (want === "existence") return { kind: "exists" };
    const state = { sourceHash };
    if (sourceHash === stored || told === undefined) return { kind: "unchanged", state };
    const content = told.text === undefined ? ({ withheld: "unread" } as const) : { text: told.text };
    return { kind: "present", sourceHash, content, from: "tool", state };
  }

  #set(path: string, file: Known): void {
    this.#delete(path);
    this.#files.set(path, file);
    this.#chars += file.text?.length ?? 0;
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= limits.toldFilesMax && this.#chars <= limits.toldCharsMax) return;
      this.#delete(oldest);
    }
  }

  #delete(path: string): void {
    this.#chars -= this.#files.get(path)?.text?.length ?? 0;
    this.#files.delete(path);
  }
}

/** Another one for each change, the same for the same. */
function changedFrom(before: Known | undefined, change: string): Known {
  return {
    sourceHash: `${prefix}changed:${sha256(JSON.stringify([before?.sourceHash ?? "", change]))}`,
    text: undefined,
  };
}
