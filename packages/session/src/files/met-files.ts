import type { FileTouch } from "@cm/context-log";
import { defined, type KnownState, type Observation, type SourceBinding } from "@cm/object-model";
import { knownStateOf } from "./known-file.ts";
import type { KnownFiles } from "./known-files.ts";
import type { LookRequest } from "./scan.ts";
import type { StoredFile } from "./stored-files.ts";

/** A file that is met, what the store has of it, and what its source said. */
export interface Met extends StoredFile {
  readonly binding: SourceBinding;
  /** The same as its source has it; undefined where there is no source for it, or its source does not know such a one. */
  readonly parsed: SourceBinding | undefined;
  readonly as: FileTouch["as"];
  readonly observation: Observation;
}

const absent: KnownState = { absent: true };

/** How its source is asked for each, so that it reads no more than is wanted. */
export function looksAt(met: ReadonlyMap<string, Met>, knownFiles: KnownFiles): readonly LookRequest[] {
  return [...met].flatMap(([id, { parsed, as, stored }]): LookRequest[] => {
    if (parsed === undefined) return [];
    const known = knownFiles.get(id);
    // "Unchanged" is an answer only where the store still has what this client knew: otherwise it wants the text.
    const isCurrent =
      known?.last === "absent"
        ? stored?.null_reason === "deleted"
        : known?.sourceHash !== undefined && known.sourceHash === stored?.source_hash;
    // Output names much that is no path. Of what nobody knows nothing hangs on it, so that no look confirms that it is not there.
    const isNew = as === "discovered" && known === undefined && stored === undefined;
    const state = isNew
      ? absent
      : known === undefined || !isCurrent
        ? undefined
        : knownStateOf({ ...known, inStore: true });
    return [
      {
        id,
        binding: parsed,
        ...defined({ known: state }),
        ...(as === "discovered" ? { want: "existence" as const } : {}),
      },
    ];
  });
}
