import type { FileTouch } from "@cm/context-log";
import { type DocumentOf, objectIdOf, type Write } from "@cm/object-model";
import type { IndexOutcome } from "./next-version.ts";

/** A file after the protocol ran: its version in sight, and what must be written for it. */
export interface IndexedFile {
  readonly id: string;
  readonly outcome: IndexOutcome;
  readonly document: DocumentOf<"file"> | undefined;
  readonly write: Write | undefined;
  /** The agent-visible path where it is not the canonical one. */
  readonly display: string | undefined;
  /** The file of another client that this one is here. */
  readonly succeeds?: string;
}

export function fileIdOf({ binding }: Pick<FileTouch, "binding">): string {
  return objectIdOf({ type: "file", source: binding });
}

/** The file of a touch as it was found: where another client's was meant, that may be our own in its place. */
export function touchedFile(
  files: ReadonlyMap<string, IndexedFile>,
  touch: Pick<FileTouch, "binding">,
): IndexedFile | undefined {
  const id = fileIdOf(touch);
  return files.get(id) ?? [...files.values()].find(({ succeeds }) => succeeds === id);
}

/** Every touched file once, by its object id. A read or an edit is stronger than a discovery; among those the first counts. */
export function strongestTouches(touches: readonly FileTouch[]): ReadonlyMap<string, FileTouch> {
  const byId = new Map<string, FileTouch>();
  for (const touch of touches) {
    const id = fileIdOf(touch);
    const earlier = byId.get(id);
    if (earlier === undefined || earlier.as === "discovered") byId.set(id, touch);
  }
  return byId;
}

/** Secrets replaced in the versions that are written. */
export function redactionsIn(files: Iterable<Pick<IndexedFile, "write">>): number {
  let sum = 0;
  for (const { write } of files) sum += Number(write?.document.redactions ?? 0);
  return sum;
}
