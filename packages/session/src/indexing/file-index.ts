import {
  type DocumentOf,
  type FileTouch,
  isCmError,
  isDocumentOf,
  type KnownState,
  limits as modelLimits,
  type ObjectStore,
  type Observation,
  objectIdOf,
  type Source,
  type Write,
} from "@cm/object-model";
import { type Redactor, TextCleaner } from "../incoming/clean-text.ts";
import { type IndexOutcome, nextVersion } from "./next-version.ts";
import { observeInTime } from "./observe-in-time.ts";

/** A touched file after the protocol ran: its version in sight, and what must be written for it. */
export interface IndexedFile {
  readonly id: string;
  readonly outcome: IndexOutcome;
  readonly document: DocumentOf<"file"> | undefined;
  readonly write: Write | undefined;
  /** The agent-visible path where it is not the canonical one. */
  readonly display: string | undefined;
}

/** What is known of a touched file before the protocol decides. */
interface Met {
  readonly touch: FileTouch;
  readonly stored: DocumentOf<"file"> | undefined;
  readonly token: string | undefined;
}

/**
 * The indexing protocol over the session's sources (SSOT 5.6). What a client last knew of a binding stays here: it is
 * the client's own and never written into objects.
 */
export class FileIndex {
  readonly #store: ObjectStore;
  readonly #sources: ReadonlyMap<string, Source>;
  readonly #redact: Redactor | undefined;
  readonly #known = new Map<string, { readonly sourceHash: string; readonly state: KnownState }>();

  constructor(store: ObjectStore, sources: readonly Source[], redact?: Redactor) {
    this.#store = store;
    this.#sources = new Map(sources.map((source) => [source.type, source]));
    this.#redact = redact;
  }

  /** Looks at every touched file once; the strongest kind of touch counts. Keys of the answer are object ids. */
  async index(touches: readonly FileTouch[]): Promise<ReadonlyMap<string, IndexedFile>> {
    const byId = new Map<string, FileTouch>();
    for (const touch of touches) {
      const id = fileIdOf(touch);
      const earlier = byId.get(id);
      if (earlier === undefined || earlier.as === "discovered") byId.set(id, touch);
    }
    if (byId.size === 0) return new Map();
    const stored = await this.#store.getMany([...byId.keys()]);
    const met = new Map(
      [...byId].map(([id, touch]): [string, Met] => {
        const version = stored.get(id);
        const document = version?.document;
        const file = document !== undefined && isDocumentOf(document, "file") ? document : undefined;
        return [id, { touch, stored: file, token: version?.token }];
      }),
    );
    const observations = await this.#observe(met);
    return new Map([...met].map(([id, file]) => [id, this.#indexed(id, file, observations.get(id))]));
  }

  #indexed(id: string, met: Met, observation: Observation = noAnswer): IndexedFile {
    const { touch, stored, token } = met;
    const { outcome, document } = versionOf(met, observation, new TextCleaner(this.#redact));
    this.#remember(id, observation);
    return {
      id,
      outcome,
      document: document ?? stored,
      // A stub must never overwrite what another client stored meanwhile; of observations the newest wins.
      write:
        document === undefined ? undefined : { document, expect: outcome === "stub" ? (token ?? "absent") : "any" },
      display: this.#displayOf(touch),
    };
  }

  #remember(id: string, observation: Observation): void {
    if (observation.kind === "present") {
      this.#known.set(id, { sourceHash: observation.sourceHash, state: observation.state });
    } else if (observation.kind === "unchanged") {
      const known = this.#known.get(id);
      if (known !== undefined) this.#known.set(id, { ...known, state: observation.state });
    } else this.#known.delete(id);
  }

  #displayOf({ binding }: FileTouch): string | undefined {
    const source = this.#sources.get(binding.type);
    if (source === undefined) return undefined;
    const { path, display } = source.describe(source.parseBinding(binding));
    return display === path ? undefined : display.toWellFormed().slice(0, modelLimits.sourceFieldCharsMax);
  }

  async #observe(met: ReadonlyMap<string, Met>): Promise<ReadonlyMap<string, Observation>> {
    const bySource = Map.groupBy([...met], ([, { touch }]) => touch.binding.type);
    const answers = await Promise.all([...bySource].map(([type, group]) => this.#observeAll(type, group)));
    return new Map(answers.flat());
  }

  async #observeAll(
    type: string,
    group: readonly (readonly [string, Met])[],
  ): Promise<readonly (readonly [string, Observation])[]> {
    const source = this.#sources.get(type);
    if (source === undefined) return [];
    const requests = group.map(([id, { touch, stored }]) => {
      const known = this.#known.get(id);
      // "Unchanged" is an answer only where the store still has what this client knew: otherwise it wants the text.
      const current = known !== undefined && known.sourceHash === stored?.source_hash;
      return { binding: source.parseBinding(touch.binding), ...(current ? { known: known.state } : {}) };
    });
    const observations = await observeInTime(source, requests);
    return group.flatMap(([id], place) => {
      const observation = observations[place];
      return observation === undefined ? [] : [[id, observation] as const];
    });
  }
}

const noAnswer: Observation = { kind: "unreachable", reason: "no answer" };

/** An observation that no document can carry counts as none: a step is never lost to a source. */
function versionOf({ touch, stored }: Met, observation: Observation, cleaner: TextCleaner) {
  const { binding, as } = touch;
  try {
    return nextVersion(binding, stored, cleanObservation(observation, stored?.source_hash, cleaner), as);
  } catch (error) {
    if (observation.kind !== "present" || !isCmError(error)) throw error;
    return nextVersion(binding, stored, noAnswer, as);
  }
}

/** Text of a version that will be stored goes through the session's redactor, too. */
function cleanObservation(observation: Observation, storedHash: string | undefined, cleaner: TextCleaner): Observation {
  if (observation.kind !== "present" || !("text" in observation.content) || observation.sourceHash === storedHash) {
    return observation;
  }
  const before = cleaner.redactions;
  const text = cleaner.text(observation.content.text);
  const redactions = (observation.redactions ?? 0) + cleaner.redactions - before;
  return { ...observation, content: { text }, redactions };
}

export function fileIdOf({ binding }: FileTouch): string {
  return objectIdOf({ type: "file", source: binding });
}
