import type { SourceBinding } from "@cm/object-model";
import type { Met } from "./met-files.ts";
import type { StoredFile } from "./stored-files.ts";
import { fileIdOf } from "./touches.ts";

/** A file as this client names it. */
export interface OwnFile {
  readonly id: string;
  readonly binding: SourceBinding;
}

/**
 * Files of other clients that this one finds at a place of its own. A file is its file system and its path (SSOT 2.4), so
 * what is there is a file of this client: the text of one machine never becomes a version of another's file (decision 82).
 */
export class OwnPlaces {
  readonly #ownOf: (binding: SourceBinding) => SourceBinding | undefined;
  /** The other client's file, by the id of our own. */
  readonly #others = new Map<string, string>();

  constructor(ownOf: (binding: SourceBinding) => SourceBinding | undefined) {
    this.#ownOf = ownOf;
  }

  /** Our own file in the place of this one; undefined where it is our own, or nothing says where it would be here. */
  of({ id, binding }: OwnFile): OwnFile | undefined {
    const own = this.#ownOf(binding);
    const ownId = own === undefined ? id : fileIdOf({ binding: own });
    if (own === undefined || ownId === id) return undefined;
    this.#others.set(ownId, id);
    return { id: ownId, binding: own };
  }

  /** The file of another client that was met before, and that this one of ours is here. */
  other(id: string): string | undefined {
    return this.#others.get(id);
  }
}

/** A look found nothing there: of the other client's file that says nothing. */
export const notHere = { kind: "unreachable", reason: "no such file on this machine" } as const;

/**
 * What was seen, each as the file that it is: what equals the other client's newest version is still that file, and what
 * differs is our own. Pure.
 */
export function atHome(
  met: ReadonlyMap<string, Met>,
  own: ReadonlyMap<string, OwnFile>,
  stored: (id: string) => StoredFile,
): ReadonlyMap<string, Met> {
  if (own.size === 0) return met;
  const home = new Map<string, Met>();
  for (const [id, file] of met) {
    const ours = own.get(id);
    if (ours === undefined) home.set(id, file);
    else if (file.observation.kind === "absent") home.set(id, { ...file, observation: notHere });
    else if (!isOther(file)) home.set(id, file);
    else if (!met.has(ours.id)) {
      const { binding } = ours;
      home.set(ours.id, { ...file, ...stored(ours.id), binding, parsed: binding });
    }
  }
  return home;
}

function isOther({ stored, observation }: Met): boolean {
  if (observation.kind === "present") return stored?.source_hash !== observation.sourceHash;
  return observation.kind === "exists" && stored === undefined;
}
