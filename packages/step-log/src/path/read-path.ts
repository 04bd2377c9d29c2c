import {
  type Basis,
  chainHashOf,
  chatId,
  type DocumentOf,
  firstChain,
  firstWrite,
  isDocumentOf,
  nextChain,
  type ObjectStore,
  type StepAddress,
  type StoredVersion,
  sessionObjectId,
  stepId,
  type VersionToken,
} from "@cm/object-model";
import { stepLogError } from "../errors.ts";
import { limits } from "../limits.ts";
import { headVersions } from "./head-versions.ts";

/** The heads of a session with the tokens that a compare-and-set needs. */
export interface SessionHeads {
  readonly session: DocumentOf<"session">;
  readonly sessionToken: VersionToken;
  readonly chat: DocumentOf<"chat">;
  readonly chatToken: VersionToken;
  /** The transaction that wrote them. */
  readonly basis: Basis;
}

/**
 * A step on a path, with the hash and the time of how it was written. An erased one has lost its document; its hash
 * stays, so that the chain still vouches for it.
 */
export interface PathStep extends WrittenStep {
  readonly address: StepAddress;
  readonly document: DocumentOf<"step"> | undefined;
}

/** Undefined where there is no such session. */
export async function readHeads(store: ObjectStore, session: string): Promise<SessionHeads | undefined> {
  return headsIn(await store.getMany([sessionObjectId(session), chatId(session)]), session);
}

/** The heads among documents that were read together. */
export function headsIn(found: ReadonlyMap<string, StoredVersion>, session: string): SessionHeads | undefined {
  const head = found.get(sessionObjectId(session));
  const chat = found.get(chatId(session));
  if (head === undefined && chat === undefined) return undefined;
  if (head?.erased !== undefined || chat?.erased !== undefined) throw damaged(session, "its heads were erased");
  if (head === undefined || chat === undefined) throw damaged(session, "a head is missing");
  if (!isDocumentOf(head.document, "session") || !isDocumentOf(chat.document, "chat")) {
    throw damaged(session, "a head has another type");
  }
  return {
    session: head.document,
    sessionToken: head.token,
    chat: chat.document,
    chatToken: chat.token,
    basis: head.basis,
  };
}

/**
 * The steps that lead to an address, first one first: they follow parents, also into other sessions. Read as they are
 * now, so that a step that was written over does not go unseen.
 */
export async function readPath(store: ObjectStore, to: StepAddress | null): Promise<readonly PathStep[]> {
  const path: PathStep[] = [];
  for await (const step of readPathBack(store, to, limits.stepsPerReadMax)) path.push(step);
  return path.reverse();
}

/**
 * The same from the newest to the first, read as far as the caller asks.
 * @param atFirst steps of the first read; each time twice as many, up to `atOnceMax`
 */
export async function* readPathBack(
  store: ObjectStore,
  to: StepAddress | null,
  atFirst: number,
  atOnceMax: number = limits.stepsPerReadMax,
): AsyncGenerator<PathStep> {
  const fetched = new Map<string, StoredVersion | undefined>();
  const passed = new Set<string>();
  const parents = new ErasedParents(store);
  let count = atFirst;
  for (let address = to; address !== null; ) {
    const id = stepId(address);
    // Each step lies on a path once, so that a damaged chain cannot run in a circle.
    if (passed.has(id)) throw damaged(address.session, `step ${address.n} continues itself`);
    passed.add(id);
    if (!fetched.has(id)) {
      await fetchBefore(store, address, { fetched, count });
      count = Math.min(atOnceMax, count * 2);
    }
    const version = fetched.get(id);
    // It is not looked at twice, and a path may be long.
    fetched.delete(id);
    if (version === undefined) throw damaged(address.session, `step ${address.n} is missing`);
    const { document } = version;
    const { contentHash, basis, transactionTime } = await asWritten(store, version);
    if (document !== undefined && !isDocumentOf(document, "step"))
      throw damaged(address.session, "a step has another type");
    yield { address, contentHash, basis, transactionTime, document };
    address = document === undefined ? await parents.of(address, contentHash) : document.parent;
  }
}

/** Most steps continue the one before them, so a whole run is fetched at once. */
async function fetchBefore(
  store: ObjectStore,
  { session, n }: StepAddress,
  { fetched, count }: { readonly fetched: Map<string, StoredVersion | undefined>; readonly count: number },
): Promise<void> {
  const first = Math.max(0, n - count + 1);
  const ids = Array.from({ length: n - first + 1 }, (_, place) => stepId({ session, n: first + place }));
  const found = await store.getMany(ids);
  for (const id of ids) fetched.set(id, found.get(id));
}

function damaged(session: string, what: string) {
  return stepLogError(
    "session/damaged",
    `The session ${session} cannot be read: ${what}. Run a verification of its database.`,
    {
      session,
    },
  );
}

/** A step as it was written, whatever was erased of it since. */
export interface WrittenStep {
  /** What the chain is over. */
  readonly contentHash: string;
  /** The transaction that wrote it. */
  readonly basis: Basis;
  readonly transactionTime: Date;
}

/**
 * When a step was written, and with which hash. One that stands in the place of another names that one's hash and was
 * written at its time; where a replacement was erased as a whole, the stamp of the first version is left to tell.
 */
export async function asWritten(store: ObjectStore, version: StoredVersion): Promise<WrittenStep> {
  const { document } = version;
  const isStep = document !== undefined && isDocumentOf(document, "step");
  if (document !== undefined && (!isStep || document.replaces === undefined)) return version;
  const first = (await firstWrite(store, version.id)) ?? version;
  return isStep ? { ...timesOf(first), contentHash: chainHashOf(document) } : first;
}

const timesOf = ({ basis, transactionTime }: Pick<WrittenStep, "basis" | "transactionTime">) => ({
  basis,
  transactionTime,
});

type Head = DocumentOf<"session">;

/** The parents of erased steps. A session's head is read once, however many of its steps were erased. */
class ErasedParents {
  readonly #store: ObjectStore;
  readonly #heads = new Map<string, Promise<readonly Head[]>>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /**
   * The step that an erased one continued. Its parent went with its document, but each version of the session's head
   * has a chain value, and only the parent's makes the erased step's together with its hash. Where the head's versions
   * do not tell (they were erased, or the parent is another session's), it is the step before, as it nearly always is; of
   * a fork's first step the one that it was forked at.
   */
  async of({ session, n }: StepAddress, contentHash: string): Promise<StepAddress | null> {
    const known = this.#heads.get(session) ?? this.#read(session);
    this.#heads.set(session, known);
    const heads = await known;
    const forkedFrom = heads.find(({ forked_from }) => forked_from !== undefined)?.forked_from ?? null;
    const before: StepAddress | null = n === 0 ? forkedFrom : { session, n: n - 1 };
    const isOf = ({ head }: Head, step: StepAddress | null) => head?.session === step?.session && head?.n === step?.n;
    const own = heads.find((head) => isOf(head, { session, n }));
    if (own === undefined) return before;
    const continues = ({ chain }: Pick<Head, "chain">) => nextChain(chain, contentHash) === own.chain;
    const likely = heads.find((head) => isOf(head, before));
    if (likely !== undefined && continues(likely)) return before;
    if (continues({ chain: firstChain(session) })) return null;
    return heads.find((head) => head.head !== null && continues(head))?.head ?? before;
  }
  async #read(session: string): Promise<readonly Head[]> {
    const heads: Head[] = [];
    for await (const head of headVersions(this.#store, session)) heads.push(head);
    return heads;
  }
}
