import type { LogState } from "@cm/context-log/state";
import { type DocumentOf, defined } from "@cm/object-model";
import type { IndexedFile } from "./touches.ts";

export type Observed = NonNullable<DocumentOf<"step">["observed"]>;

type FilesInSight = Pick<LogState, "inSight" | "successions">;

/** File versions and paths that this session did not have in sight before, whichever session stored them. */
export function observedIn(state: FilesInSight, files: readonly IndexedFile[]): Observed {
  return files.flatMap((file) => newInSight(file, state));
}

/** Files that the session has in sight, and those that stand in such a one's place, or did. */
export function inSightOf(
  { inSight, successions }: FilesInSight,
  files: readonly IndexedFile[],
): readonly IndexedFile[] {
  return files.filter(({ id, succeeds = id }) => inSight.has(successions.newest(id)) || inSight.has(succeeds));
}

/** Whether a stored version is, or comes to be, the one in sight of a file that no source can look at (decision 13). */
export const isStoredInSight =
  ({ inSight }: FilesInSight) =>
  ({ "xt/id": id, content_hash }: DocumentOf<"file">): boolean =>
    (inSight.get(id)?.contentHash ?? content_hash) === content_hash;

function newInSight(file: IndexedFile, state: FilesInSight): Observed {
  const { id, document, display, outcome } = file;
  const before = state.inSight.get(id);
  if (document === undefined) return [];
  // It stays as this session knows it.
  if (before !== undefined && outcome === "unreachable") return [];
  const succeeds = olderOf(file, state);
  const sameVersion = before?.contentHash === document.content_hash;
  if (sameVersion && succeeds === undefined && (display === undefined || display === before.display)) return [];
  return [
    {
      file: id,
      content_hash: document.content_hash,
      ...defined({ display, succeeds }),
    },
  ];
}

/** The file in sight that this one is here (SSOT 2.4); one that was succeeded itself and is met again takes its place back. */
function olderOf({ id, succeeds }: IndexedFile, { inSight, successions }: FilesInSight): string | undefined {
  const newest = successions.newest(id);
  if (newest !== id) return newest;
  return succeeds !== undefined && inSight.has(succeeds) ? succeeds : undefined;
}
