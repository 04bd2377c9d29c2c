import type { FileTouch } from "@cm/context-log";
import { defined, isCmError, type KnownState, type Observation, type SourceBinding } from "@cm/object-model";
import { type Redactor, TextCleaner } from "../input/clean.ts";
import { type KnownFiles, knownStateOf } from "./known-files.ts";
import { type NextVersion, nextVersion } from "./next-version.ts";
import { type LookRequest, noAnswer } from "./scan.ts";
import type { StoredFile } from "./stored-files.ts";
import { fileIdOf } from "./touches.ts";

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
    // Output names much that is no path. An unknown path has no other trace, so that no look confirms its absence.
    const isNew = as === "discovered" && known === undefined && stored === undefined;
    const current = known === undefined || !isCurrent ? undefined : knownStateOf({ ...known, inStore: true });
    const want = as === "discovered" ? ("existence" as const) : undefined;
    return [{ id, binding: parsed, ...defined({ known: isNew ? absent : current, want }) }];
  });
}

/**
 * The next version of a file, its text redacted. An observation that no document can carry counts as none: a step is
 * never lost to a source. `observation` is the one that counted.
 */
export function versionOf(
  { binding, stored, as }: Met,
  observation: Observation,
  redact: Redactor | undefined,
): NextVersion & { readonly observation: Observation } {
  try {
    const clean = cleanObservation(observation, stored?.source_hash, redact);
    return { ...nextVersion(binding, stored, clean, { as }), observation };
  } catch (error) {
    if (observation.kind !== "present" || !isCmError(error)) throw error;
    return { ...nextVersion(binding, stored, noAnswer, { as }), observation: noAnswer };
  }
}

/** Text of a version that will be stored goes through the session's redactor, too. */
function cleanObservation(
  observation: Observation,
  storedHash: string | undefined,
  redact: Redactor | undefined,
): Observation {
  if (observation.kind !== "present" || !("text" in observation.content) || observation.sourceHash === storedHash) {
    return observation;
  }
  const cleaner = new TextCleaner(redact);
  const raw = observation.content.text;
  const text = cleaner.text(raw);
  if (text === raw && cleaner.redactions === 0) return observation;
  // The source's digest is that of the text as it was.
  return { ...observation, content: { text }, redactions: (observation.redactions ?? 0) + cleaner.redactions };
}

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
