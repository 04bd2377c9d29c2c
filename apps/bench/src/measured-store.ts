import type { ObjectDocument, ObjectStore } from "@cm/object-model";
import { observedStore } from "./observed-store.ts";

/** The time and bytes of one commit. */
export interface MeasuredCommit {
  readonly ms: number;
  /** Bytes of its documents as JSON without the texts and arguments that were new: what keeping books costs. */
  readonly bookBytes: number;
}

/** A store that notes the time and size of each commit that writes a step. */
export function measuredStore(store: ObjectStore, commits: MeasuredCommit[]): ObjectStore {
  return observedStore(store, async (commit, writes) => {
    const started = performance.now();
    const receipt = await commit();
    const ms = performance.now() - started;
    if (writes.some(({ document }) => document.type === "step")) {
      commits.push({ ms, bookBytes: writes.reduce((sum, { document }) => sum + bookBytes(document), 0) });
    }
    return receipt;
  });
}

function bookBytes(document: ObjectDocument): number {
  const { content, args, args_display, ...book } = document;
  const texts = new Set(["text", "thinking", "args"]);
  return Buffer.byteLength(JSON.stringify(book, (key, value: unknown) => (texts.has(key) ? undefined : value)));
}
