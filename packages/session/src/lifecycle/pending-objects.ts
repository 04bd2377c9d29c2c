import { type DocumentOf, defined, isDocumentOf, type ObjectStore } from "@cm/object-model";
import type { FileIndex } from "../files/file-index.ts";
import { fileIdOf } from "../files/touches.ts";
import { readInParts } from "../history/read-in-parts.ts";
import { readWanted } from "../history/read-wanted.ts";
import { type Pending, toolcallsIn, touchesOf } from "../step/pending.ts";
import type { PendingObjects } from "../step/taken-in.ts";

/**
 * Reads what a paused session's head names: late results, and file versions that came into sight. Those, and the files
 * that late results touched, are looked at from now on, as they were before the pause.
 */
export async function readPendingObjects(
  store: ObjectStore,
  files: FileIndex,
  pending: Pending | undefined,
): Promise<PendingObjects> {
  if (pending === undefined) return { toolcall: () => undefined, files: [] };
  const observed = pending.observed ?? [];
  const seen = observed.map(
    ({ file, content_hash: contentHash, display }) => [file, { contentHash, display }] as const,
  );
  const objects = await readWanted(store, { toolcalls: toolcallsIn(pending), files: seen });
  for (const document of await touchedFiles(store, pending)) files.resume(document);
  const versions = observed.flatMap(({ file, content_hash, display, succeeds }) => {
    const document = objects.file(file, content_hash);
    if (document === undefined) return [];
    const seen = { id: file, outcome: "unchanged", document, write: undefined } as const;
    return [{ ...seen, display: displayNow(files, document, display), ...defined({ succeeds }) }];
  });
  for (const { document } of versions) files.resume(document);
  return { toolcall: objects.toolcall, files: versions };
}

async function touchedFiles(store: ObjectStore, pending: Pending): Promise<readonly DocumentOf<"file">[]> {
  const ids = [...new Set(touchesOf(pending).map(fileIdOf))];
  const found = ids.length === 0 ? new Map() : await readInParts(store, ids);
  return ids.flatMap((id) => {
    const document = found.get(id)?.document;
    return document !== undefined && isDocumentOf(document, "file") ? [document] : [];
  });
}

/** Mounts may be others by now; where nobody can tell, it is what it was. */
function displayNow(files: FileIndex, { source }: DocumentOf<"file">, before: string | undefined): string | undefined {
  const isKnown = source !== null && files.pathNow(source) !== undefined;
  return isKnown ? files.displayOf(source) : before;
}
