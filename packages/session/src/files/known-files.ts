import { defined, type KnownState, type Observation, type Source, type SourceBinding } from "@cm/object-model";
import { limits } from "../limits.ts";
import { type Answers, type LookRequest, lookAt, noAnswer } from "./scan.ts";

/** What this client last saw of a file. Its own: never written into objects (SSOT 5.9). */
export interface KnownFile {
  readonly id: string;
  readonly binding: SourceBinding;
  readonly last: "present" | "absent" | "unreachable";
  /** Why it is unreachable. */
  readonly reason?: string;
  /** Of the newest time it was present. */
  readonly sourceHash?: string;
  readonly state?: KnownState;
  /** A client has looked at it at least once, this one or another. */
  readonly reached: boolean;
  /** It was gone or out of reach at some time. */
  readonly wasOrphaned: boolean;
  /** The store is known to have what was seen, and the session to know it: what was only planned may have failed. */
  readonly inStore: boolean;
  /** Milliseconds since the epoch; one whose source gave no answer at all is not asked for again and again. */
  readonly lookAgainAtMs: number;
}

/** Whether a look may have found what the store does not have. */
export function isNews({ last, sourceHash, inStore }: KnownFile, observation: Observation): boolean {
  if (observation.kind === "present") return !inStore || last !== "present" || observation.sourceHash !== sourceHash;
  return observation.kind === "absent" && (!inStore || last !== "absent");
}

/** What a source is told of a file, so that it may answer without reading it. */
export function knownStateOf({ last, state, inStore }: KnownFile): KnownState | undefined {
  if (!inStore) return undefined;
  return last === "absent" ? { absent: true } : state;
}

/** The files that this client met, in that order, with what it saw of them. */
export class KnownFiles {
  readonly #files = new Map<string, KnownFile>();
  #all = new ScanQueue();

  get(id: string): KnownFile | undefined {
    return this.#files.get(id);
  }

  /** `exists` says nothing that a later look could be compared with, and is not kept. */
  remember(
    { id, binding }: Pick<KnownFile, "id" | "binding">,
    observation: Observation,
    { inStore, nowMs }: { readonly inStore: boolean; readonly nowMs: number },
  ): void {
    const before = this.#files.get(id);
    const wasOrphaned = before?.wasOrphaned ?? false;
    const at = { id, binding, wasOrphaned, inStore, lookAgainAtMs: nowMs };
    switch (observation.kind) {
      case "present": {
        const { sourceHash, state } = observation;
        this.#set({ ...at, last: "present", reached: true, sourceHash, state });
        break;
      }
      case "unchanged":
        if (before !== undefined && !saysNothingNew(before, observation.state, inStore)) {
          const { reason: _reason, ...rest } = before;
          this.#set({ ...rest, last: "present", state: observation.state, inStore });
        }
        break;
      case "absent":
        this.#set({ ...at, last: "absent", reached: true, wasOrphaned: true });
        break;
      case "unreachable":
        this.#set({
          ...at,
          reached: false,
          ...before,
          last: "unreachable",
          wasOrphaned: true,
          reason: observation.reason,
          lookAgainAtMs: observation === noAnswer ? nowMs + limits.lookAgainMs : nowMs,
        });
    }
  }

  /** These are not looked at any more. */
  forget(ids: readonly string[]): void {
    const known = ids.filter((id) => this.#files.delete(id));
    if (known.length === 0) return;
    this.#all = new ScanQueue();
    for (const file of this.#files.values()) this.#all.set(file);
  }

  /** The store has what was last seen. */
  confirm(id: string): void {
    const file = this.#files.get(id);
    if (file?.inStore === false) this.#set({ ...file, inStore: true });
  }

  /** What was last seen reached no session: the next look takes it for news. */
  doubt(id: string): void {
    const file = this.#files.get(id);
    if (file?.inStore === true) this.#set({ ...file, inStore: false });
  }

  /** Files that a sweep looks at: those that could be looked at before. */
  within(ids: Iterable<string> | undefined, nowMs: number): ScanQueue {
    if (ids === undefined && this.#all.isReached) return this.#all;
    const files = ids === undefined ? this.#files.values() : [...ids].flatMap((id) => this.#files.get(id) ?? []);
    const list = new ScanQueue();
    for (const file of files) if (file.reached && nowMs >= file.lookAgainAtMs) list.set(file);
    return list;
  }

  #set(file: KnownFile): void {
    this.#files.set(file.id, file);
    this.#all.set(file);
  }
}

/** So it is for nearly every file, at every look. */
function saysNothingNew(before: KnownFile, state: KnownState, inStore: boolean): boolean {
  return (
    before.last === "present" && before.reason === undefined && before.state === state && before.inStore === inStore
  );
}

/**
 * Files to look at, with the requests for it. All known files are looked at before each request, so the requests are
 * kept, and an answer that is the very same as last time needs no second thought.
 */
class ScanQueue {
  readonly files: KnownFile[] = [];
  readonly requests: LookRequest[] = [];
  readonly #places = new Map<string, number>();
  readonly #settled: (Observation | undefined)[] = [];
  readonly #outOfReach = new Set<string>();

  /** Whether sources can look at all of them. */
  get isReached(): boolean {
    return this.#outOfReach.size === 0;
  }

  /** Adds a file, or replaces its state. */
  set(file: KnownFile): void {
    const { id, binding } = file;
    const place = this.#places.get(id) ?? this.files.length;
    const known = knownStateOf(file);
    this.#places.set(id, place);
    this.files[place] = file;
    // The very same request as long as the same is known: a look that is under way still answers it.
    const before = this.requests[place];
    if (before === undefined || before.known !== known || before.binding !== binding) {
      this.requests[place] = { id, binding, ...defined({ known }) };
    }
    this.#settled[place] = undefined;
    if (file.reached && file.last !== "unreachable") this.#outOfReach.delete(id);
    else this.#outOfReach.add(id);
  }

  /** Remembers an answer that said nothing new of the file as it is known now. */
  settle(place: number, answer: Observation): void {
    if (answer.kind === "unchanged") this.#settled[place] = answer;
  }

  isSettled(place: number, answer: Observation): boolean {
    return this.#settled[place] === answer;
  }
}

/** A look at a list of files that is under way. */
export class PrefetchScan {
  readonly #sources: ReadonlyMap<string, Source>;
  readonly #list: ScanQueue;
  readonly #requests: readonly LookRequest[];
  readonly #answers: Promise<Answers>;

  constructor(sources: ReadonlyMap<string, Source>, list: ScanQueue) {
    this.#sources = sources;
    this.#list = list;
    // A copy: a source that gave no answer in time may still read it when the next look is made.
    this.#requests = list.requests.slice();
    this.#answers = lookAt(sources, this.#requests);
  }

  /** An answer for each file of the list as it is now; whatever of it is asked in another way by now is looked at again. */
  async answersFor(list: ScanQueue): Promise<Answers> {
    if (list !== this.#list) return lookAt(this.#sources, list.requests.slice());
    const answers = await this.#answers;
    const others = [...list.requests.keys()].filter((place) => list.requests[place] !== this.#requests[place]);
    if (others.length === 0) return answers;
    const all: (Observation | undefined)[] = [...answers];
    const again = others.flatMap((place) => list.requests[place] ?? []);
    const found = await lookAt(this.#sources, again);
    for (const [index, place] of others.entries()) all[place] = found[index];
    return all;
  }
}
