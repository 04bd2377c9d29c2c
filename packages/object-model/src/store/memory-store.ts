import { defined } from "../defined.ts";
import type { ObjectDocument } from "../documents/document.ts";
import { indexEntryOf } from "../documents/index-entry.ts";
import { sameVersion } from "../documents/seal.ts";
import { coreDocumentTypes, type DocumentTypes } from "../documents/types.ts";
import { checkFind, compareFindPlaces, findCursor, findPlace } from "./check-find.ts";
import {
  type CheckedCommit,
  checkAgainstNewest,
  checkCommit,
  checkIds,
  checkNamed,
  checkReason,
  historyRows,
  isNamedVersion,
} from "./checks.ts";
import type {
  AsOf,
  Basis,
  CommitOptions,
  CommitReceipt,
  EraseReceipt,
  Filter,
  FindOptions,
  FindPage,
  HistoryPage,
  ObjectStore,
  Page,
  StoredVersion,
  VersionName,
  Write,
} from "./contract.ts";
import { digestForErasure, lostWith } from "./erasure.ts";
import { filterMatcher } from "./filter-matcher.ts";
import { Timeline, type TimelineVersion } from "./memory-timeline.ts";
import { basisOf, listed, stored, tokenOf } from "./memory-version.ts";
import { closed, requestReused, unknownBasis } from "./refusals.ts";
import { asOf, nextTransactionMs, readMs, type TimelinePlace } from "./timeline.ts";

export interface MemoryStoreOptions {
  readonly types?: DocumentTypes;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** An `ObjectStore` in memory: the reference that all others are compared with. Its state ends with the process. */
export function createMemoryStore(options: MemoryStoreOptions = {}): ObjectStore {
  return new MemoryStore(options);
}

class MemoryStore implements ObjectStore {
  readonly contract = "object-store/1";
  readonly #types: DocumentTypes;
  readonly #now: () => number;
  readonly #timelines = new Map<string, Timeline>();
  readonly #requests = new Map<string, { fingerprint: string; receipt: CommitReceipt }>();
  /** Time of each transaction; the place in the list is its number, and 0 is the empty store. */
  readonly #transactionTimes: number[] = [0];
  #serial = 0;
  #closed = false;

  constructor({ types = coreDocumentTypes, now = Date.now }: MemoryStoreOptions) {
    this.#types = types;
    this.#now = now;
  }

  async getMany(ids: readonly string[], at?: Basis | AsOf): Promise<ReadonlyMap<string, StoredVersion>> {
    this.#ensureOpen();
    const moment = this.#momentOf(at);
    const found = new Map<string, StoredVersion>();
    for (const id of checkIds(ids)) {
      const version = this.#timelines.get(id)?.at(moment);
      if (version !== undefined) found.set(id, stored(this.#typeOf(id), version));
    }
    return found;
  }

  async commit(writes: readonly Write[], options: CommitOptions = {}): Promise<CommitReceipt> {
    this.#ensureOpen();
    const commit = checkCommit(writes, options, this.#types);
    const repeated = this.#repeated(commit);
    if (repeated !== undefined) return repeated;
    this.#checkExpectations(commit);
    const transactionMs = this.#begin();
    const moment = { txId: this.#transactionTimes.length - 1, validMs: commit.validTimeMs ?? transactionMs };
    const results = commit.writes.map(({ document }) => this.#write(document, { ...moment, transactionMs }));
    const receipt = { basis: basisOf(moment.txId), transactionTime: new Date(transactionMs), results };
    if (commit.requestId !== undefined)
      this.#requests.set(commit.requestId, { fingerprint: commit.fingerprint, receipt });
    return receipt;
  }

  async history(id: string, page: Page = {}): Promise<HistoryPage> {
    this.#ensureOpen();
    const rows = historyRows(id, page);
    const all = this.#versionsOf(id);
    const start = page.cursor === undefined ? 0 : all.findIndex(({ serial }) => `${serial}` === page.cursor) + 1;
    const timeline = all.slice(start);
    const versions = timeline.slice(0, rows);
    const last = versions.at(-1);
    return {
      versions: versions.map((version) => listed(this.#typeOf(id), version, page.documents)),
      ...(timeline.length > rows && last !== undefined ? { next: `${last.serial}` } : {}),
    };
  }

  async find(filter: Filter, options: FindOptions = {}): Promise<FindPage> {
    this.#ensureOpen();
    const { order, limit, documents, after } = checkFind(filter, options, this.#types);
    const matches = filterMatcher(filter);
    const moment = this.#momentOf(undefined);
    const found = [...this.#timelines].flatMap(([id, timeline]) => {
      const version = timeline.at(moment);
      if (version?.document === undefined || !matches(version.document)) return [];
      const { document } = version;
      const place = findPlace(order, id, indexEntryOf(document, this.#types.get(document.type)));
      return after === undefined || compareFindPlaces(place, after) > 0 ? [{ place, document, version }] : [];
    });
    const rows = found.sort((a, b) => compareFindPlaces(a.place, b.place)).slice(0, limit);
    const last = found.length > limit ? rows.at(-1) : undefined;
    return {
      versions: rows.map(({ document, version }) => listed(document.type, version, documents)),
      basis: basisOf(moment.txId),
      ...defined({ next: last === undefined ? undefined : findCursor(order, last.place) }),
    };
  }

  async erase(named: readonly (string | VersionName)[], reason: string): Promise<EraseReceipt> {
    this.#ensureOpen();
    const targets = checkNamed(named);
    const erasure = { reason: checkReason(reason), at: new Date(this.#begin()) };
    const all = [...this.#timelines.values()].flatMap((timeline) => timeline.newestFirst());
    const isNamed = (version: TimelineVersion) => isNamedVersion(targets.get(version.id), tokenOf(version));
    const there = new Set(all.filter(isNamed).map(({ id }) => id));
    const lost = lostWith(all, isNamed, ({ digest }) => digest);
    for (const timeline of this.#timelines.values()) timeline.erase(erasure, (version) => lost.has(version));
    const shared = new Set([...lost].map(({ id }) => id).filter((id) => !there.has(id)));
    return {
      basis: basisOf(this.#transactionTimes.length - 1),
      at: erasure.at,
      erased: [...there].sort(byCodeUnits),
      shared: [...shared].sort(byCodeUnits),
      unknown: [...targets.keys()].filter((id) => !there.has(id)),
    };
  }

  async changed(since: Basis, signal?: AbortSignal): Promise<void> {
    this.#ensureOpen();
    const known = this.#transactionOf(since);
    while (known === this.#transactionTimes.length - 1 && signal?.aborted !== true) {
      await this.#next(signal);
      this.#ensureOpen();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wake();
  }

  readonly #waiting = new Set<() => void>();

  /** The next transaction, the end of the store, or the signal. */
  async #next(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    signal?.addEventListener("abort", () => resolve(), { once: true });
    await promise;
    this.#waiting.delete(resolve);
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
  }

  /** Newest first. */
  #versionsOf(id: string): readonly TimelineVersion[] {
    return this.#timelines.get(id)?.newestFirst() ?? [];
  }

  #typeOf(id: string): string {
    return this.#typeOfId.get(id) ?? "";
  }

  /** Types outlive the documents that erasure takes. */
  readonly #typeOfId = new Map<string, string>();

  #momentOf(at: Basis | AsOf | undefined): TimelinePlace {
    const asked = asOf(at);
    const txId = asked.basis === undefined ? this.#transactionTimes.length - 1 : this.#transactionOf(asked.basis);
    return { txId, validMs: readMs(asked, this.#transactionTimes[txId] ?? 0, this.#now) };
  }

  #transactionOf(basis: Basis): number {
    const number = /^m(0|[1-9][0-9]*)$/.exec(basis)?.[1];
    const transaction = number === undefined ? Number.NaN : Number(number);
    if (transaction < this.#transactionTimes.length) return transaction;
    throw unknownBasis();
  }

  #repeated({ requestId, fingerprint }: CheckedCommit): CommitReceipt | undefined {
    const earlier = requestId === undefined ? undefined : this.#requests.get(requestId);
    if (earlier === undefined || earlier.fingerprint === fingerprint) return earlier?.receipt;
    throw requestReused();
  }

  #checkExpectations({ writes }: CheckedCommit): void {
    checkAgainstNewest(writes, {
      typeOf: ({ document }) => this.#typeOfId.get(document["xt/id"]),
      tokenOf: ({ document }) => this.#tokenOf(document["xt/id"]),
    });
  }

  #tokenOf(id: string): string {
    const newest = this.#timelines.get(id)?.newestWrite;
    return newest === undefined ? "absent" : tokenOf(newest);
  }

  #begin(): number {
    const time = nextTransactionMs(this.#transactionTimes.at(-1) ?? 0, this.#now);
    this.#transactionTimes.push(time);
    this.#wake();
    return time;
  }

  #write(
    document: ObjectDocument,
    moment: TimelinePlace & { readonly transactionMs: number },
  ): CommitReceipt["results"][number] {
    const id = document["xt/id"];
    const timeline = this.#timelines.get(id) ?? new Timeline();
    const holding = timeline.at(moment);
    if (holding?.document !== undefined && sameVersion(holding.document, document)) {
      return { id, outcome: "unchanged", token: this.#tokenOf(id) };
    }
    this.#serial += 1;
    const added: TimelineVersion = {
      ...moment,
      id,
      serial: this.#serial,
      contentHash: document.content_hash,
      digest: digestForErasure(document),
      document,
      erased: undefined,
    };
    timeline.add(added);
    this.#timelines.set(id, timeline);
    this.#typeOfId.set(id, document.type);
    return { id, outcome: "written", token: tokenOf(added) };
  }

  #ensureOpen(): void {
    if (this.#closed) throw closed();
  }
}

/** By UTF-16 units, which is how every store orders ids. */
const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
