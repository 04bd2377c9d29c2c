// A whole object store over a Map: what a store of your own has to do, without a database to do it in. It holds every law
// of object-store/1 (test/examples.test.ts). A real one keeps `versions` on disk, and does a commit in one transaction.
import {
  checkAgainstNewest,
  checkCommit,
  checkFind,
  checkIds,
  checkNamed,
  checkReason,
  compareFindPlaces,
  type DocumentTypes,
  defined,
  type Erasure,
  filterMatcher,
  findCursor,
  findPlace,
  historyRows,
  indexEntryOf,
  isNamedVersion,
  lostWith,
  type ObjectDocument,
  type ObjectStore,
  type Page,
  pageRows,
  refusals,
  type StoredVersion,
  sameVersion,
  timeline,
} from "@cm/object-model";

type Version = { id: string; token: string; txId: number; validMs: number; document: ObjectDocument; erased?: Erasure };

export function createMapStore({ now, types }: { now: () => number; types: DocumentTypes }): ObjectStore {
  /** By object, in the order of writing. Nothing is ever taken out. */
  const versions = new Map<string, Version[]>();
  /** When each transaction was; the first is the empty store. */
  const times = [0];
  const requests = new Map<string, { fingerprint: string; receipt: Awaited<ReturnType<ObjectStore["commit"]>> }>();
  let isClosed = false;
  const ensureOpen = () => {
    if (isClosed) throw refusals.closed();
  };
  const momentOf = (at?: Parameters<ObjectStore["getMany"]>[1]) => {
    const asked = timeline.asOf(at);
    const txId = asked.basis === undefined ? times.length - 1 : times.findIndex((_, n) => `t${n}` === asked.basis);
    const transactionMs = times[txId];
    if (transactionMs === undefined) throw refusals.unknownBasis();
    return { txId, validMs: timeline.readMs(asked, transactionMs, now) };
  };
  const newest = (id: string) => versions.get(id)?.at(-1);
  const sorted = (id: string) => (versions.get(id) ?? []).toSorted(timeline.newestFirst);
  const holding = (id: string, moment: timeline.TimelinePlace) => timeline.holdingAt(sorted(id), moment);
  const begin = () => {
    const validMs = timeline.nextTransactionMs(times.at(-1) ?? 0, now);
    return { txId: times.push(validMs) - 1, validMs };
  };
  const stored = ({ id, token, txId, validMs, document, erased }: Version, documents = true) => {
    const at = { validTime: new Date(validMs), transactionTime: new Date(times[txId] ?? 0), basis: `t${txId}` };
    const stamp = { id, token, type: document.type, contentHash: document.content_hash, ...at };
    return erased !== undefined ? { ...stamp, erased } : documents ? { ...stamp, document } : stamp;
  };
  const pageOf = (rows: readonly Version[], page: Page, cursorOf: (version: Version) => string) => {
    const shown = rows.slice(0, pageRows(page));
    const last = rows.length > shown.length ? shown.at(-1) : undefined;
    const next = defined({ next: last === undefined ? undefined : cursorOf(last) });
    return { versions: shown.map((version) => stored(version, page.documents === true)), ...next };
  };
  const write = (document: ObjectDocument, moment: timeline.TimelinePlace) => {
    const id = document["xt/id"];
    const held = holding(id, moment);
    if (held !== undefined && held.erased === undefined && sameVersion(held.document, document))
      return { id, outcome: "unchanged" as const, token: newest(id)?.token ?? "" };
    const version = { id, token: `${id}/${versions.get(id)?.length ?? 0}`, ...moment, document };
    versions.set(id, [...(versions.get(id) ?? []), version]);
    return { id, outcome: "written" as const, token: version.token };
  };

  return {
    contract: "object-store/1",
    async getMany(ids, at) {
      ensureOpen();
      const moment = momentOf(at);
      const held = checkIds(ids).flatMap((id) => holding(id, moment) ?? []);
      return new Map(held.map((version) => [version.id, stored(version) as StoredVersion]));
    },
    async commit(writes, options = {}) {
      ensureOpen();
      const { requestId = "", fingerprint, validTimeMs, writes: checked } = checkCommit(writes, options, types);
      const earlier = requests.get(requestId);
      if (earlier?.fingerprint === fingerprint) return earlier.receipt;
      if (earlier !== undefined) throw refusals.requestReused();
      checkAgainstNewest(checked, {
        typeOf: ({ document }) => newest(document["xt/id"])?.document.type,
        tokenOf: ({ document }) => newest(document["xt/id"])?.token ?? "absent",
      });
      const { txId, validMs } = begin();
      const results = checked.map(({ document }) => write(document, { txId, validMs: validTimeMs ?? validMs }));
      const receipt = { basis: `t${txId}`, transactionTime: new Date(validMs), results };
      if (requestId !== "") requests.set(requestId, { fingerprint, receipt });
      return receipt;
    },
    async history(id, page = {}) {
      ensureOpen();
      const checked = { ...page, limit: historyRows(id, page) };
      const rows = sorted(id);
      return pageOf(
        rows.slice(rows.findIndex(({ token }) => token === page.cursor) + 1),
        checked,
        ({ token }) => token,
      );
    },
    async find(filter, page = {}) {
      ensureOpen();
      const { order, after } = checkFind(filter, page, types);
      const meets = filterMatcher(filter);
      const moment = momentOf();
      const held = [...versions.keys()].flatMap((id) => holding(id, moment) ?? []);
      const met = held.filter((version) => version.erased === undefined && meets(version.document));
      const placeOf = ({ id, document }: Version) =>
        findPlace(order, id, indexEntryOf(document, types.get(document.type)));
      const rest = met
        .filter((version) => after === undefined || compareFindPlaces(placeOf(version), after) > 0)
        .sort((a, b) => compareFindPlaces(placeOf(a), placeOf(b)));
      return { ...pageOf(rest, page, (version) => findCursor(order, placeOf(version))), basis: `t${moment.txId}` };
    },
    async erase(named, reason) {
      ensureOpen();
      const targets = checkNamed(named);
      const erased = { reason: checkReason(reason), at: new Date(begin().validMs) };
      const isNamed = ({ id, token }: Version) => isNamedVersion(targets.get(id), token);
      const all = [...versions.values()].flat();
      const there = new Set(all.filter(isNamed).map(({ id }) => id));
      const lost = lostWith(all, isNamed);
      for (const version of lost) version.erased = erased;
      const shared = new Set([...lost].flatMap(({ id }) => (there.has(id) ? [] : [id])));
      const receipt = { basis: `t${times.length - 1}`, at: erased.at, erased: [...there].sort() };
      const unknown = [...targets.keys()].filter((id) => !there.has(id));
      return { ...receipt, shared: [...shared].sort(), unknown };
    },
    async close() {
      isClosed = true;
    },
  };
}
