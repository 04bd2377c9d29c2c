import type { DocumentOf } from "@cm/object-model";
import type { IndexedFile } from "../indexing/file-index.ts";
import type { FileInSight, SessionState } from "../state/session-state.ts";

export type Observed = NonNullable<DocumentOf<"step">["observed"]>;

/** File versions and paths that this session did not have in sight before, whoever stored them. */
export function observedIn(state: SessionState, files: readonly IndexedFile[]): Observed {
  return files.flatMap((file) => newInSight(file, state.inSight.get(file.id)));
}

function newInSight({ id, document, display, outcome }: IndexedFile, before: FileInSight | undefined): Observed {
  if (document === undefined) return [];
  // What nobody could look at stays as this session knows it (decision 13).
  if (before !== undefined && outcome === "unreachable") return [];
  const sameVersion = before?.contentHash === document.content_hash;
  if (sameVersion && (display === undefined || display === before.display)) return [];
  return [{ file: id, content_hash: document.content_hash, ...(display === undefined ? {} : { display }) }];
}
