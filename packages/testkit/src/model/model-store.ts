import {
  type AsOf,
  type Basis,
  CmError,
  type CommitOptions,
  type CommitReceipt,
  checkCommit,
  checkFind,
  checkIds,
  checkNamed,
  checkReason,
  type EraseReceipt,
  type Filter,
  type FindOptions,
  type FindPage,
  type FindPlace,
  findCursor,
  type HistoryPage,
  historyRows,
  isNamedVersion,
  type ListedVersion,
  type ObjectDocument,
  type ObjectStore,
  type Page,
  pageRows,
  type StoredVersion,
  timeline,
  type VersionName,
  type Write,
} from "@cm/object-model";
import type { StoreSetting } from "../object-store/store-case.ts";
import { type Definitions, lawful, type ModelWrite, type Moment } from "./definitions.ts";

/**
 * "object-store/1" over one flat list of writes, where every answer is a definition over the whole list. Slow and
 * short: other stores are compared with it.
 */
export function createModelStore(setting: StoreSetting, definitions: Partial<Definitions> = {}): ObjectStore {
  return new ModelStore(setting, { ...lawful, ...definitions });
}

class ModelStore implements ObjectStore {
  readonly contract = "object-store/1";
  readonly #setting: StoreSetting;
  readonly #law: Definitions;
  readonly #writes: ModelWrite[] = [];
  /** By transaction; the first is the empty store. */
  readonly #times: number[] = [0];
  readonly #requests = new Map<string, { readonly fingerprint: string; readonly receipt: CommitReceipt }>();
  #closed = false;

  constructor(setting: StoreSetting, law: Definitions) {
    this.#setting = setting;
    this.#law = law;
  }

  async getMany(ids: readonly string[], at?: Basis | AsOf): Promise<ReadonlyMap<string, StoredVersion>> {
    this.#ensureOpen();
    const moment = this.#momentOf(timeline.asOf(at));
    const held = checkIds(ids).map((id) => this.#law.holding(this.#writes, id, moment));
    return new Map(held.flatMap((write) => (write === undefined ? [] : [[write.id, stored(write)]])));
  }

  async commit(writes: readonly Write[], options: CommitOptions = {}): Promise<CommitReceipt> {
    this.#ensureOpen();
    const { requestId, fingerprint, validTimeMs, ...checked } = checkCommit(writes, options, this.#setting.types);
    const earlier = requestId === undefined ? undefined : this.#requests.get(requestId);
    if (earlier?.fingerprint === fingerprint) return earlier.receipt;
    if (earlier !== undefined) throw new CmError("store/request-reused", "The request id was used before.");
    this.#checkEnvelopes(checked.writes);
    this.#checkExpectations(checked.writes);
    const moment = this.#begin();
    const results = checked.writes.map(({ document }) =>
      this.#write(document, { ...moment, validMs: validTimeMs ?? moment.validMs }),
    );
    const receipt = { basis: basisOf(moment.transaction), transactionTime: new Date(moment.validMs), results };
    if (requestId !== undefined) this.#requests.set(requestId, { fingerprint, receipt });
    return receipt;
  }

  async history(id: string, page: Page = {}): Promise<HistoryPage> {
    this.#ensureOpen();
    historyRows(id, page);
    const rows = this.#law.inOrder(this.#writes.filter((write) => write.id === id));
    const rest = rows.slice(rows.findIndex(({ token }) => token === page.cursor) + 1);
    return pageOf(rest, page, ({ token }) => token);
  }

  async find(filter: Filter, options: FindOptions = {}): Promise<FindPage> {
    this.#ensureOpen();
    const { order, after } = checkFind(filter, options, this.#setting.types);
    const ids = [...new Set(this.#writes.map(({ id }) => id))];
    const held = ids.flatMap((id) => this.#law.holding(this.#writes, id, this.#momentOf({})) ?? []);
    const met = held.filter(({ erased, document }) => erased === undefined && this.#law.meets(document, filter));
    const newestOf = ({ document }: ModelWrite) =>
      order === "newest" ? this.#law.newestOf(document, this.#setting.types) : 0;
    const compare = (a: FindPlace, b: FindPlace) => b.newest - a.newest || this.#law.compareIds(a.id, b.id);
    const rows = met.map((write) => ({ write, newest: newestOf(write), id: write.id })).sort(compare);
    const rest = rows.filter((row) => after === undefined || compare(row, after) > 0).map(({ write }) => write);
    const cursorOf = (write: ModelWrite) => findCursor(order, { newest: newestOf(write), id: write.id });
    return { ...pageOf(rest, options, cursorOf), basis: basisOf(this.#times.length - 1) };
  }

  async erase(named: readonly (string | VersionName)[], reason: string): Promise<EraseReceipt> {
    this.#ensureOpen();
    const targets = checkNamed(named);
    const asked = [...targets.keys()];
    const isNamed = ({ id, token }: ModelWrite) => isNamedVersion(targets.get(id), token);
    const erased = { reason: checkReason(reason), at: new Date(0) };
    const { transaction, validMs } = this.#begin();
    erased.at.setTime(validMs);
    const lost = this.#law.lostWith(this.#writes, isNamed).filter((write) => write.erased === undefined);
    for (const write of lost) write.erased = erased;
    const known = new Set(this.#writes.filter(isNamed).map(({ id }) => id));
    return {
      basis: basisOf(transaction),
      at: erased.at,
      erased: asked.filter((id) => known.has(id)).sort(),
      shared: [...new Set(lost.map(({ id }) => id))].filter((id) => !known.has(id)).sort(),
      unknown: asked.filter((id) => !known.has(id)),
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #ensureOpen(): void {
    if (this.#closed) throw new CmError("store/closed", "The store is closed.");
  }

  #momentOf({ basis, validTime }: AsOf): Moment {
    const transaction =
      basis === undefined ? this.#times.length - 1 : this.#times.findIndex((_, n) => basisOf(n) === basis);
    const basisMs = this.#times[transaction];
    if (basisMs === undefined) throw new CmError("store/unknown-basis", "The basis is not of this store.");
    const asked = this.#law.defaultMoment(this.#setting.now(), basisMs, basis !== undefined);
    return { transaction, validMs: validTime === undefined ? asked : timeline.timeOf(validTime) };
  }

  #begin(): Moment {
    const validMs = this.#law.timeOf(this.#setting.now(), this.#times.at(-1) ?? 0);
    return { transaction: this.#times.push(validMs) - 1, validMs };
  }

  #checkEnvelopes(writes: readonly Write[]): void {
    const changes = writes.some(({ document }) => {
      const earlier = this.#writes.find(({ id }) => id === document["xt/id"]);
      return earlier !== undefined && !this.#law.keepsEnvelope(earlier.document, document);
    });
    if (changes) throw new CmError("store/envelope-changed", "An envelope never changes.");
  }

  #checkExpectations(writes: readonly Write[]): void {
    const wrong = writes.filter(
      ({ document, expect }) => expect !== "any" && expect !== this.#tokenOf(document["xt/id"]),
    );
    if (wrong.length === 0) return;
    const ids = wrong.map(({ document }) => document["xt/id"]);
    const actual = ids.map((id) => this.#tokenOf(id));
    throw new CmError("store/conflict", "Expectations did not hold; read again.", { ids, actual });
  }

  #tokenOf(id: string): string {
    return this.#law.newest(this.#writes, id)?.token ?? "absent";
  }

  #write(document: ObjectDocument, { transaction, validMs }: Moment): CommitReceipt["results"][number] {
    const id = document["xt/id"];
    const held = this.#law.holding(this.#writes, id, { transaction, validMs });
    if (held !== undefined && this.#law.saysTheSame(held, document)) {
      return { id, outcome: "unchanged", token: this.#tokenOf(id) };
    }
    const token = `w${this.#writes.length}`;
    const transactionMs = this.#times[transaction] ?? 0;
    this.#writes.push({ id, token, transaction, transactionMs, validMs, document, erased: undefined });
    return { id, outcome: "written", token };
  }
}

const basisOf = (transaction: number): Basis => `t${transaction}`;

/** As many of the rows as the page takes, and where the next one starts. */
function pageOf(rows: readonly ModelWrite[], page: Page, cursorOf: (write: ModelWrite) => string): HistoryPage {
  const limit = pageRows(page);
  const last = rows[limit - 1];
  const more = rows.length > limit && last !== undefined;
  const versions = rows.slice(0, limit).map((write) => listed(write, page));
  return { versions, ...(more ? { next: cursorOf(last) } : {}) };
}

function listed(write: ModelWrite, page: Page): ListedVersion {
  const { document, ...stamp } = stored(write);
  return document !== undefined && page.documents ? { ...stamp, document } : stamp;
}

function stored({ id, token, erased, document, ...write }: ModelWrite): StoredVersion {
  const stamp = {
    id,
    type: document.type,
    token,
    contentHash: document.content_hash,
    validTime: new Date(write.validMs),
    transactionTime: new Date(write.transactionMs),
    basis: basisOf(write.transaction),
  };
  return erased === undefined ? { ...stamp, document } : { ...stamp, erased };
}
