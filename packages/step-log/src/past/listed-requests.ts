import { chainOf, factsOfRow, type KeyframeRequests, type KeyframeState } from "@cm/context-log/state";
import {
  type DocumentOf,
  everyVersion,
  isDocumentOf,
  keyframeId,
  type ObjectStore,
  type StepAddress,
  type StoredVersion,
} from "@cm/object-model";
import { unpackedField } from "../keyframe/packed-field.ts";
import { limits } from "../limits.ts";
import type { KnownRequest } from "./request-summary.ts";

/** A step that has a keyframe, as a reader of its path knows it. */
export interface KeyframeStep {
  readonly address: StepAddress;
  /** Its place on the path. */
  readonly n: number;
  /** As the step was written. */
  readonly contentHash: string;
  readonly keyframe: string;
}

export interface ListedRequest extends KnownRequest {
  readonly n: number;
  readonly plainChars: number;
}

type Link = Pick<KeyframeStep, "address" | "contentHash" | "keyframe">;

/**
 * Requests of the path to a step, the newest first, as its keyframes list them: no step is read. It ends where a
 * keyframe lists none, and before a step that is not what it was, such as an erased one.
 * @returns that step; null where all of the path is listed
 */
export async function* listedRequests(
  store: ObjectStore,
  newest: KeyframeStep,
): AsyncGenerator<ListedRequest, StepAddress | null> {
  const keyframes = new ListedKeyframes(store);
  const hashes = new StepHashes(store);
  let n = newest.n;
  for (let link: Link | undefined = newest; link !== undefined; ) {
    const { requests, before }: Partial<ListedKeyframe> = (await keyframes.read(link)) ?? {};
    if (requests === undefined) return link.address;
    let after: string = link.contentHash;
    for (const [place, [, , hashBefore, plainChars, facts]] of [...requests.rows.entries()].reverse()) {
      const address = addressOf(requests, place);
      if (n < 0 || !(await hashes.has(address, after))) return address;
      yield { address, n, plainChars, facts: factsOfRow(facts), isReplaced: false };
      [n, after] = [n - 1, hashBefore];
    }
    link =
      before === undefined
        ? undefined
        : { address: { session: before.session, n: before.n }, contentHash: after, keyframe: before.content_hash };
  }
  return null;
}

function addressOf({ rows }: KeyframeRequests, place: number): StepAddress {
  let from = place;
  while (from > 0 && rows[from]?.[0] === "") from -= 1;
  return { session: rows[from]?.[0] ?? "", n: rows[place]?.[1] ?? 0 };
}

interface ListedKeyframe {
  readonly requests: KeyframeRequests | undefined;
  readonly before: DocumentOf<"keyframe">["before"];
}

/** Keyframes of a chain, some at once: the newest names all before it. */
class ListedKeyframes {
  readonly #store: ObjectStore;
  readonly #versions = new Map<string, StoredVersion | undefined>();
  #chain: readonly StepAddress[] = [];

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** Undefined where it is not the one that its step, or the keyframe after it, names. */
  async read({ address, keyframe }: Link): Promise<ListedKeyframe | undefined> {
    const id = keyframeId(address);
    if (!this.#versions.has(id)) await this.#fetch(address);
    const version = this.#versions.get(id);
    this.#versions.delete(id);
    const document = version?.document;
    if (document === undefined || version?.contentHash !== keyframe || !isDocumentOf(document, "keyframe"))
      return undefined;
    if (this.#chain.length === 0) this.#chain = chainBefore(document);
    return { requests: requestsIn(document), before: document.before };
  }

  async #fetch(address: StepAddress): Promise<void> {
    const end = this.#chain.findLastIndex(({ session, n }) => session === address.session && n === address.n) + 1;
    const part = end === 0 ? [address] : this.#chain.slice(Math.max(0, end - limits.keyframesPerRead), end);
    const ids = part.map(keyframeId);
    const found = await this.#store.getMany(ids);
    for (const id of ids) this.#versions.set(id, found.get(id));
  }
}

function chainBefore({ state = "" }: DocumentOf<"keyframe">): readonly StepAddress[] {
  try {
    return chainOf(JSON.parse(state) as KeyframeState, limits.keyframesPerChainMax);
  } catch {
    return [];
  }
}

function requestsIn({ requests }: DocumentOf<"keyframe">): KeyframeRequests | undefined {
  const read = unpackedField(requests) as KeyframeRequests | undefined;
  return read?.version === 1 && Array.isArray(read.rows) ? read : undefined;
}

/** The hashes of a session's steps as they are now, without their documents. An erased step has none. */
class StepHashes {
  readonly #store: ObjectStore;
  readonly #sessions = new Map<string, ReadonlyMap<number, string>>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  async has({ session, n }: StepAddress, hash: string): Promise<boolean> {
    const hashes = this.#sessions.get(session) ?? (await this.#read(session));
    this.#sessions.set(session, hashes);
    return hashes.get(n) === hash;
  }

  async #read(session: string): Promise<ReadonlyMap<number, string>> {
    const hashes = new Map<number, string>();
    for await (const { id, contentHash } of everyVersion((page) => this.#store.find({ session, type: "step" }, page)))
      hashes.set(Number(id.slice(id.lastIndexOf(":") + 1)), contentHash);
    return hashes;
  }
}
