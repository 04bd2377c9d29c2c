import { defaultPrices, type Prices, type RebuiltPrompt } from "@cm/context-log";
import { type ObjectStore, type StepAddress, type StoredVersion, stepId } from "@cm/object-model";
import { stepLogError } from "../errors.ts";
import { limits } from "../limits.ts";
import { readNamedHeads } from "../path/read-named.ts";
import { readPathBack } from "../path/read-path.ts";
import { KeptPrompts } from "./kept-prompts.ts";
import { type RendererFor, rebuildPath, rebuildPrompt } from "./rebuild.ts";
import { type PastRequest, requestOf, requestSummary } from "./request-summary.ts";
import { checkRange } from "./requests-of.ts";
import { objectAt, type PastSession, sessionAt } from "./state-at.ts";

export interface OpenPastOptions {
  /** What the bills of `requests` are at. Default: `defaultPrices`. */
  readonly prices?: Pick<Prices, "read" | "write">;
  /** Bytes of messages that are kept. Default: `limits.pastBytesMax`. */
  readonly bytesMax?: number;
}

/** What `extend` found. */
export interface PastExtension {
  /** Requests that were known and are still on the path: fewer than before where the session went back. */
  readonly kept: number;
  readonly added: number;
}

/**
 * The past of a session, read once. Places are those of the requests on its path, from 0, those before a fork included.
 * It is what the store said when it was read: erasures since then, and new steps, show in one that is opened anew, and new
 * steps after `extend`.
 */
export interface Past {
  readonly session: string;
  readonly length: number;
  /** From the first place up to the second, that one not included. @throws CmError `session/invalid-input`, `session/closed` */
  requests(from?: number, to?: number): readonly PastRequest[];
  /**
   * What `rebuildPrompt` gives, byte for byte, frozen: from memory, and what was let go from the store.
   * @throws CmError `session/not-found`, `session/unknown-layout`, `session/closed`
   */
  promptAt(n: number): Promise<RebuiltPrompt>;
  /** As the functions of these names. @throws CmError `session/not-found`, `session/closed` */
  sessionAt(n: number): Promise<PastSession>;
  objectAt(n: number, idOrAlias: string): Promise<StoredVersion | undefined>;
  /** Reads the steps that came since. @throws CmError as `openPast` */
  extend(): Promise<PastExtension>;
  close(): void;
}

/**
 * Reads the path of a session once and keeps its prompts, each message of them once, so that any question about them takes
 * milliseconds from then on.
 * @throws CmError `session/not-found`, `session/damaged`, or what the store throws
 */
export async function openPast(
  store: ObjectStore,
  session: string,
  rendererFor: RendererFor,
  { prices = defaultPrices, bytesMax = limits.pastBytesMax }: OpenPastOptions = {},
): Promise<Past> {
  const past = new ReadPast(store, session, { rendererFor, prices, bytesMax });
  await past.extend();
  return past;
}

interface ReadPastOptions {
  readonly rendererFor: RendererFor;
  readonly prices: Pick<Prices, "read" | "write">;
  readonly bytesMax: number;
}

class ReadPast implements Past {
  readonly session: string;
  readonly #store: ObjectStore;
  readonly #options: ReadPastOptions;
  readonly #prompts: KeptPrompts;
  #requests: PastRequest[] = [];
  /** Places by the ids of their steps. */
  readonly #places = new Map<string, number>();
  #reading: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(store: ObjectStore, session: string, options: ReadPastOptions) {
    this.#store = store;
    this.session = session;
    this.#options = options;
    this.#prompts = new KeptPrompts({ bytesMax: options.bytesMax, listEvery: limits.pastListEvery });
  }

  get length(): number {
    return this.#requests.length;
  }

  requests(from = 0, to = this.#requests.length): readonly PastRequest[] {
    this.#checkOpen();
    checkRange({ from, to });
    return Object.freeze(this.#requests.slice(from, to));
  }

  async promptAt(n: number): Promise<RebuiltPrompt> {
    const step = this.#stepAt(n);
    return this.#prompts.at(n) ?? rebuildPrompt(this.#store, step, this.#options.rendererFor);
  }

  async sessionAt(n: number): Promise<PastSession> {
    return sessionAt(this.#store, this.#stepAt(n));
  }

  async objectAt(n: number, idOrAlias: string): Promise<StoredVersion | undefined> {
    return objectAt(this.#store, this.#stepAt(n), idOrAlias);
  }

  extend(): Promise<PastExtension> {
    // One after the other: each begins where the one before ended.
    const extended = this.#reading.then(() => this.#extend());
    this.#reading = extended.catch(() => {});
    return extended;
  }

  close(): void {
    this.#closed = true;
    this.#requests = [];
    this.#places.clear();
    this.#prompts.clear();
  }

  async #extend(): Promise<PastExtension> {
    this.#checkOpen();
    const heads = await readNamedHeads(this.#store, this.session);
    const { head } = heads.session;
    const { kept, added } = await this.#sinceKnown(head);
    this.#cut(kept);
    if (head === null || added === 0) return { kept, added };
    const { rendererFor, prices } = this.#options;
    const last = kept === 0 ? {} : { last: added };
    for await (const read of rebuildPath(this.#store, head, { rendererFor, basis: heads.basis, prices, ...last })) {
      this.#checkOpen();
      this.#places.set(stepId(read.step.address), this.#requests.length);
      this.#requests.push(requestSummary(requestOf(read.step), this.#requests.length, read.bill));
      this.#prompts.add(read.rebuilt);
    }
    return { kept, added: this.#requests.length - kept };
  }

  /** How many requests on the way to a head are known, and how many come after them. */
  async #sinceKnown(head: StepAddress | null): Promise<PastExtension> {
    if (this.#places.size === 0) return { kept: 0, added: head === null ? 0 : Number.POSITIVE_INFINITY };
    let added = 0;
    for await (const { address } of readPathBack(this.#store, head, 1, limits.requestsPerRead)) {
      const place = this.#places.get(stepId(address));
      if (place !== undefined) return { kept: place + 1, added };
      added += 1;
    }
    return { kept: 0, added };
  }

  #cut(length: number): void {
    for (const { step } of this.#requests.splice(length)) this.#places.delete(stepId(step));
    this.#prompts.cut(length);
  }

  #stepAt(n: number): StepAddress {
    this.#checkOpen();
    const request = this.#requests[n];
    if (request !== undefined) return request.step;
    const { session } = this;
    throw stepLogError("session/not-found", `The session ${session} has no request ${n} on its path.`, { session, n });
  }

  #checkOpen(): void {
    if (this.#closed) throw stepLogError("session/closed", "This past is closed; open it again.");
  }
}
