// A whole object store over a Map: what a store of your own has to do, without a database to do it in. It holds every law
// of object-store/1 (test/examples.test.ts). A real one keeps `versions` on disk, and does a commit in one transaction.
import {
  type AsOf,
  attachmentIdsOf,
  CmError,
  checkCommit,
  checkFilter,
  checkIds,
  checkNamed,
  checkReason,
  contentDigestOf,
  type DocumentTypes,
  type Erasure,
  type Filter,
  indexedFieldsOf,
  isNamedVersion,
  type ObjectDocument,
  type ObjectStore,
  type Page,
  pageRows,
  type StoredVersion,
  timeOf,
} from "@cm/object-model";

interface Version {
  readonly id: string;
  readonly token: string;
  /** The transaction's place in `times`; by it a basis is named, too. */
  readonly transaction: number;
  readonly validMs: number;
  readonly document: ObjectDocument;
  erased?: Erasure;
}

export function createMapStore({ now, types }: { now: () => number; types: DocumentTypes }): ObjectStore {
  /** By object, in the order of writing. Nothing is ever taken out. */
  const versions = new Map<string, Version[]>();
  /** When each transaction was; the first is the empty store. */
  const times = [0];
  const requests = new Map<string, { fingerprint: string; receipt: Awaited<ReturnType<ObjectStore["commit"]>> }>();
  let closed = false;

  const open = () => {
    if (closed) throw new CmError("store/closed", "The store is closed.");
  };
  const newest = (id: string) => versions.get(id)?.at(-1)?.token ?? "absent";
  /** What holds at a moment: the greatest valid time that is not after it, and of equal ones the latest write. */
  const holding = (id: string, transaction: number, validMs: number) =>
    (versions.get(id) ?? [])
      .filter((version) => version.transaction <= transaction && version.validMs <= validMs)
      .sort(newestFirst)[0];
  const moment = ({ basis, validTime }: AsOf) => {
    const transaction = basis === undefined ? times.length - 1 : times.findIndex((_, n) => `t${n}` === basis);
    const at = times[transaction];
    if (at === undefined) throw new CmError("store/unknown-basis", "The basis is not of this store.");
    const validMs = validTime === undefined ? Math.max(basis === undefined ? now() : at, at) : timeOf(validTime);
    return { transaction, validMs };
  };
  /** Transaction times never run backwards, also when the clock does. */
  const begin = () => {
    const at = Math.max(now(), times.at(-1) ?? 0);
    return { transaction: times.push(at) - 1, at };
  };
  const told = ({ id, token, transaction, validMs, document, erased }: Version, documents = true) => ({
    ...{ id, token, type: document.type, contentHash: document.content_hash, basis: `t${transaction}` },
    ...{ validTime: new Date(validMs), transactionTime: new Date(times[transaction] ?? 0) },
    ...(erased !== undefined ? { erased } : documents ? { document } : {}),
  });
  const paged = (rows: readonly Version[], page: Page, cursor: (version: Version) => string) => {
    const limit = pageRows(page);
    const last = rows[limit - 1];
    const next = rows.length > limit && last !== undefined ? { next: cursor(last) } : {};
    return { versions: rows.slice(0, limit).map((version) => told(version, page.documents === true)), ...next };
  };

  return {
    contract: "object-store/1",
    async getMany(ids, at) {
      open();
      const { transaction, validMs } = moment(typeof at === "string" ? { basis: at } : (at ?? {}));
      const held = checkIds(ids).flatMap((id) => holding(id, transaction, validMs) ?? []);
      return new Map(held.map((version) => [version.id, told(version) as StoredVersion]));
    },
    async commit(writes, options = {}) {
      open();
      const { requestId = "", fingerprint, validTimeMs, writes: checked } = checkCommit(writes, options, types);
      const earlier = requests.get(requestId);
      if (earlier?.fingerprint === fingerprint) return earlier.receipt;
      if (earlier !== undefined) throw new CmError("store/request-reused", "The request id was used before.");
      for (const { document } of checked) {
        const first = versions.get(document["xt/id"])?.[0]?.document;
        if (first !== undefined && first.identity_hash !== document.identity_hash)
          throw new CmError("store/envelope-changed", "An object's type and source never change.");
      }
      const refused = checked.filter(
        ({ document, expect }) => expect !== "any" && expect !== newest(document["xt/id"]),
      );
      const ids = refused.map(({ document }) => document["xt/id"]);
      if (ids.length > 0)
        throw new CmError("store/conflict", "The objects changed; read again.", { ids, actual: ids.map(newest) });
      const { transaction, at } = begin();
      const results = checked.map(({ document }) => {
        const id = document["xt/id"];
        const validMs = validTimeMs ?? at;
        const held = holding(id, transaction, validMs);
        const same = held?.erased === undefined && held?.document.content_hash === document.content_hash;
        if (same && held?.document.source_hash === document.source_hash)
          return { id, outcome: "unchanged" as const, token: newest(id) };
        const token = `${id}/${versions.get(id)?.length ?? 0}`;
        versions.set(id, [...(versions.get(id) ?? []), { id, token, transaction, validMs, document }]);
        return { id, outcome: "written" as const, token };
      });
      const receipt = { basis: `t${transaction}`, transactionTime: new Date(at), results };
      if (requestId !== "") requests.set(requestId, { fingerprint, receipt });
      return receipt;
    },
    async history(id, page = {}) {
      open();
      const rows = (versions.get(id) ?? []).toSorted(newestFirst);
      return paged(rows.slice(rows.findIndex(({ token }) => token === page.cursor) + 1), page, ({ token }) => token);
    },
    async find(filter, page = {}) {
      open();
      checkFilter(filter);
      const { transaction, validMs } = moment({});
      const ids = [...versions.keys()].sort().filter((id) => page.cursor === undefined || id > page.cursor);
      const held = ids.flatMap((id) => holding(id, transaction, validMs) ?? []);
      const met = held.filter(({ erased, document }) => erased === undefined && meets(document, filter));
      return { ...paged(met, page, ({ id }) => id), basis: `t${transaction}` };
    },
    async erase(named, reason) {
      open();
      const targets = checkNamed(named);
      const why = checkReason(reason);
      const { transaction, at } = begin();
      const all = [...versions.values()].flat();
      const isNamed = ({ id, token }: Version) => isNamedVersion(targets.get(id), token);
      const lost = lostWith(all, isNamed);
      for (const version of lost) version.erased = { reason: why, at: new Date(at) };
      const known = new Set(all.filter(isNamed).map(({ id }) => id));
      return {
        ...{ basis: `t${transaction}`, at: new Date(at), erased: [...known].sort() },
        shared: [...new Set(lost.map(({ id }) => id))].filter((id) => !known.has(id)).sort(),
        unknown: [...targets.keys()].filter((id) => !known.has(id)),
      };
    },
    async close() {
      closed = true;
    },
  };
}

const newestFirst = (a: Version, b: Version) => b.validMs - a.validMs || b.transaction - a.transaction;

/** All conditions of a filter hold together; one that is not given holds. */
function meets(document: ObjectDocument, { source, path, text, ...filter }: Filter): boolean {
  const { location, ...fields } = indexedFieldsOf(document);
  return [
    ...(["type", "session", "tool"] as const).map((name) => (filter[name] ?? fields[name]) === fields[name]),
    source === undefined || location?.type === source.type,
    source?.namespace === undefined || location?.namespace === source.namespace,
    source?.pathPrefix === undefined || location?.path.startsWith(source.pathPrefix),
    path === undefined || location?.path.includes(path),
    text === undefined || document.content?.toLowerCase().includes(text.toLowerCase()),
  ].every(Boolean);
}

/** Named versions, attachments that nothing else of their objects names, and every version with a text of these. */
function lostWith(all: readonly Version[], isNamed: (version: Version) => boolean): readonly Version[] {
  const there = all.filter(({ erased }) => erased === undefined);
  const named = there.filter(isNamed);
  const attached = named.flatMap(({ id, document }) => {
    const staying = there.filter((version) => version.id === id && !isNamed(version));
    const kept = staying.flatMap((version) => attachmentIdsOf(version.document));
    return attachmentIdsOf(document).filter((attachment) => !kept.includes(attachment));
  });
  const taken = there.filter((version) => isNamed(version) || attached.includes(version.id));
  const texts = new Set(
    taken.filter(({ document }) => document.content).map(({ document }) => contentDigestOf(document)),
  );
  return there.filter(
    ({ document, ...version }) =>
      taken.some(({ token }) => token === version.token) || (document.content && texts.has(contentDigestOf(document))),
  );
}
