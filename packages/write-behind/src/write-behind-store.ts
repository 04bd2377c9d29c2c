import {
  type AsOf,
  type Basis,
  type CheckedCommit,
  type CommitOptions,
  type CommitReceipt,
  checkCommit,
  type EraseReceipt,
  type Filter,
  type FindOptions,
  type FindPage,
  type HistoryPage,
  isCmError,
  type ObjectStore,
  type Page,
  type ReadOptions,
  type StoreCheck,
  type StoredVersion,
  type VersionName,
  type Write,
} from "@cm/object-model";
import { Commits } from "./commits.ts";
import type { WriteBehindOptions, WriteBehindState, WriteBehindStore } from "./contract.ts";
import { neverConnected } from "./errors.ts";
import { Reads } from "./reads.ts";
import { createContext, type WriteBehindContext } from "./write-behind-context.ts";

/** The base is not asked before the first call. */
export function createWriteBehindStore(base: ObjectStore, options: WriteBehindOptions = {}): WriteBehindStore {
  return new WriteBehind(createContext(base, options));
}

class WriteBehind implements WriteBehindStore {
  readonly contract = "object-store/1";
  readonly #context: WriteBehindContext;
  readonly #reads: Reads;
  readonly #commits: Commits;

  constructor(parts: WriteBehindContext) {
    this.#context = parts;
    this.#reads = new Reads(parts);
    this.#commits = new Commits(parts);
  }

  get state(): WriteBehindState {
    return this.#context.attachment.state;
  }

  onChange(listener: (state: WriteBehindState) => void): () => void {
    return this.#context.attachment.onChange(listener);
  }

  flush(deadlineMs: number): Promise<boolean> {
    return this.#context.attachment.flush(deadlineMs);
  }

  async getMany(
    ids: readonly string[],
    at?: Basis | AsOf,
    options: ReadOptions = {},
  ): Promise<ReadonlyMap<string, StoredVersion>> {
    const { attachment, base } = this.#context;
    attachment.ensureUsable();
    if (at === undefined) return this.#reads.getMany(ids, options);
    // A read at a basis of the base does not depend on the queue.
    if (typeof at === "string" || at.basis !== undefined) return base.getMany(ids, at, options);
    return this.#whenWritten(() => base.getMany(ids, at, options));
  }

  async commit(writes: readonly Write[], options: CommitOptions = {}): Promise<CommitReceipt> {
    const { attachment, base } = this.#context;
    attachment.ensureUsable();
    const commit = this.#checked(writes, options);
    return commit === undefined ? base.commit(writes, options) : this.#commits.commit(commit);
  }

  history(id: string, page: Page = {}): Promise<HistoryPage> {
    return this.#whenWritten(() => this.#context.base.history(id, page));
  }

  find(filter: Filter, options: FindOptions = {}): Promise<FindPage> {
    return this.#whenWritten(() => this.#context.base.find(filter, options));
  }

  /** Never before what is queued, which could bring the erased text back. */
  async erase(named: readonly (string | VersionName)[], reason: string): Promise<EraseReceipt> {
    const { base, known, newest } = this.#context;
    const receipt = await this.#whenWritten(() => base.erase(named, reason));
    known.forget([
      ...named.map((one) => (typeof one === "string" ? one : one.id)),
      ...receipt.erased,
      ...receipt.shared,
    ]);
    newest.written({ basis: receipt.basis, transactionTime: receipt.at });
    return receipt;
  }

  /** Checks the base's files; the queue is in memory. */
  check(): Promise<StoreCheck> {
    return this.#whenWritten(async () => (await this.#context.base.check?.()) ?? { problems: [] });
  }

  async close(): Promise<void> {
    this.#context.attachment.close();
    await this.#context.base.close?.();
  }

  /** The base alone has every version, and it has them once nothing is queued any more. */
  async #whenWritten<T>(ask: () => Promise<T>): Promise<T> {
    const { attachment, deadlineMs } = this.#context;
    attachment.ensureUsable();
    if (!attachment.isAttached && !(await attachment.flush(deadlineMs))) {
      attachment.ensureUsable();
      throw attachment.fault ?? neverConnected();
    }
    return ask();
  }

  /** Undefined where an attached base shall say what is wrong. @throws CmError as `checkCommit` does */
  #checked(writes: readonly Write[], options: CommitOptions): CheckedCommit | undefined {
    const { attachment, types } = this.#context;
    try {
      return checkCommit(writes, options, types);
    } catch (error) {
      if (attachment.isAttached && isCmError(error)) return undefined;
      throw error;
    }
  }
}
