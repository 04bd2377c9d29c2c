import { randomUUID } from "node:crypto";
import {
  type AsOf,
  type Basis,
  type CommitReceipt,
  checkAgainstNewest,
  type EraseReceipt,
  type Filter,
  type FindPage,
  type HistoryPage,
  isCmError,
  type ObjectDocument,
  type ObjectStore,
  type Page,
  type ReadOptions,
  type StoredVersion,
  type VersionName,
  type VersionToken,
  type Write,
} from "@cm/object-model";
import { exchangeError } from "../errors.ts";
import { limits } from "../limits.ts";

interface Provisional {
  readonly document: ObjectDocument;
  readonly token: VersionToken;
  /** What the first write of the batch expected of the store. */
  readonly expect: Write["expect"];
}

/** Documents that a session writes over and over: their tokens are asked for again in the next batch. */
const rewritten: ReadonlySet<string> = new Set(["session", "chat", "lease", "file", "system_prompt"]);

const none: ReadonlyMap<string, StoredVersion> = new Map();

/**
 * Gathers the commits of one writer and makes one of them: a session that is imported step by step needs no commit for
 * each step, and what belongs together is there together or not at all. Reads see what was gathered.
 */
export class BatchStore implements ObjectStore {
  readonly contract = "object-store/1";
  readonly #base: ObjectStore;
  readonly #gathered = new Map<string, Provisional>();
  /** Tokens that the store gave to what was gathered under one of ours. */
  readonly #tokens = new Map<string, { readonly ours: VersionToken; readonly stored: VersionToken }>();
  /** Ids that the store did not have when they were read for the batch. */
  readonly #absent = new Set<string>();
  #basis: Basis;
  #serial = 0;

  static async over(base: ObjectStore): Promise<BatchStore> {
    const { basis } = await base.find({ type: "session" }, { limit: 1 });
    return new BatchStore(base, basis);
  }

  private constructor(base: ObjectStore, basis: Basis) {
    this.#base = base;
    this.#basis = basis;
  }

  /** Documents that were gathered since the last flush. */
  get size(): number {
    return this.#gathered.size;
  }

  gathered(id: string): ObjectDocument | undefined {
    return this.#gathered.get(id)?.document;
  }

  /**
   * Writes what was gathered, with these documents, in one commit.
   * @param validTime from when it holds; not after now, and not before the flush before
   * @returns from when it holds
   * @throws CmError `exchange/in-use`, or what the store throws
   */
  async flush(added: readonly Write[], validTime: Date | undefined): Promise<Date | undefined> {
    const gathered = [...this.#gathered.values()];
    const writes = [...gathered.map(({ document, expect }) => ({ document, expect })), ...added];
    if (writes.length === 0) return validTime;
    const { basis, results, transactionTime } = await this.#committed(writes, {
      requestId: `import ${randomUUID()}`,
      ...(validTime === undefined ? {} : { validTime }),
    });
    this.#basis = basis;
    for (const [place, { document, token }] of gathered.entries()) {
      const stored = results[place]?.token;
      if (stored !== undefined && rewritten.has(document.type))
        this.#tokens.set(document["xt/id"], { ours: token, stored });
    }
    this.#gathered.clear();
    this.#absent.clear();
    return validTime ?? transactionTime;
  }

  async getMany(
    ids: readonly string[],
    at?: Basis | AsOf,
    options?: ReadOptions,
  ): Promise<ReadonlyMap<string, StoredVersion>> {
    const missing = ids.filter((id) => !this.#gathered.has(id));
    const found = new Map(missing.length === 0 ? [] : await this.#base.getMany(missing, at, options));
    if (at === undefined) for (const id of missing) if (!found.has(id)) this.#absent.add(id);
    for (const id of ids) {
      const own = this.#gathered.get(id);
      if (own !== undefined) found.set(id, this.#version(own));
    }
    return found;
  }

  async commit(writes: readonly Write[]): Promise<CommitReceipt> {
    const unknown = writes.filter(({ document, expect }) => expect === "absent" && !this.#isKnown(document));
    const ids = unknown.map(({ document }) => document["xt/id"]);
    const stored = ids.length === 0 ? none : await this.#base.getMany(ids, undefined, { texts: "later" });
    checkAgainstNewest(writes, {
      typeOf: ({ document }) => this.#gathered.get(document["xt/id"])?.document.type,
      tokenOf: ({ document, expect }) => {
        const id = document["xt/id"];
        const own = this.#gathered.get(id)?.token;
        if (own !== undefined) return own;
        const { ours, stored: written } = this.#tokens.get(id) ?? {};
        if (written !== undefined && (expect === ours || expect === written)) return expect;
        return written ?? stored.get(id)?.token ?? (expect === "absent" ? "absent" : undefined);
      },
    });
    return {
      basis: this.#basis,
      transactionTime: new Date(),
      results: writes.map((write) => this.#gather(write)),
    };
  }

  history(id: string, page?: Page): Promise<HistoryPage> {
    return this.#base.history(id, page);
  }

  find(filter: Filter, page?: Page): Promise<FindPage> {
    return this.#base.find(filter, page);
  }

  erase(named: readonly (string | VersionName)[], reason: string): Promise<EraseReceipt> {
    return this.#base.erase(named, reason);
  }

  /** A step is written by who has its session alone. What the batch expects is checked once more when it is written. */
  #isKnown({ type, "xt/id": id }: ObjectDocument): boolean {
    return type === "step" || this.#gathered.has(id) || this.#tokens.has(id) || this.#absent.has(id);
  }

  #gather({ document, expect }: Write): CommitReceipt["results"][number] {
    const id = document["xt/id"];
    const { ours, stored } = this.#tokens.get(id) ?? {};
    const before = this.#gathered.get(id);
    this.#serial += 1;
    const token = `gathered ${this.#serial}` as VersionToken;
    const first = before?.expect ?? (expect === ours && stored !== undefined ? stored : expect);
    this.#gathered.set(id, { document, token, expect: first });
    return { id, outcome: "written", token };
  }

  #version({ document, token }: Provisional): StoredVersion {
    const now = new Date();
    return {
      ...{ id: document["xt/id"], type: document.type, token, contentHash: document.content_hash },
      ...{ validTime: now, transactionTime: now, basis: this.#basis, document },
    };
  }

  async #committed(
    writes: readonly Write[],
    options: { readonly requestId: string; readonly validTime?: Date },
  ): Promise<CommitReceipt> {
    for (let repeat = 0; ; repeat += 1) {
      try {
        return await this.#base.commit(writes, options);
      } catch (error) {
        if (isCmError(error, "store/conflict"))
          throw exchangeError("exchange/in-use", "Another program wrote the same session meanwhile; import it again.");
        if (!isCmError(error, "store/unknown-outcome") || repeat >= limits.commitRepeatsMax) throw error;
      }
    }
  }
}
