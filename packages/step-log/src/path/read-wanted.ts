import type { FileInSight, StepObjects } from "@cm/context-log/state";
import { type DocumentOf, isDocumentOf, type ObjectStore } from "@cm/object-model";
import { readInParts } from "./read-in-parts.ts";
import { readShownVersions } from "./step-objects.ts";

/** Objects that something names, by their ids; files in the versions that were in sight. */
export interface Wanted {
  readonly toolcalls: readonly string[];
  readonly files: readonly (readonly [string, FileInSight])[];
}

/** Reads what is wanted. An object that was erased is undefined. */
export async function readWanted(store: ObjectStore, { toolcalls, files }: Wanted): Promise<StepObjects> {
  const versions = files.map(([file, { contentHash }]) => ({ file, contentHash, from: 0, to: 0 }));
  const ids = [...toolcalls, ...versions.map(({ file }) => file)];
  const found = ids.length === 0 ? new Map() : await readInParts(store, ids);
  const shown = await readShownVersions(store, [], { versions, found });
  return {
    toolcall: (id) => toolcallIn(found.get(id)?.document),
    file: (id, contentHash) => shown.get(id)?.get(contentHash),
  };
}

function toolcallIn(document: DocumentOf<"toolcall"> | undefined): DocumentOf<"toolcall"> | undefined {
  return document !== undefined && isDocumentOf(document, "toolcall") ? document : undefined;
}
