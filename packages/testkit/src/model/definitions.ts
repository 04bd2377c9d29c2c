import {
  attachmentIdsOf,
  canonicalJson,
  contentDigestOf,
  type DocumentTypes,
  type Erasure,
  type Filter,
  indexedFieldsOf,
  type ObjectDocument,
} from "@cm/object-model";

/** One row of the model's flat list. Its place there is the order of writing. */
export interface ModelWrite {
  readonly id: string;
  readonly token: string;
  readonly transaction: number;
  readonly transactionMs: number;
  readonly validMs: number;
  readonly document: ObjectDocument;
  erased: Erasure | undefined;
}

type Writes = readonly ModelWrite[];

/** What was asked about: the transactions that count, and the moment. */
export interface Moment {
  readonly transaction: number;
  readonly validMs: number;
}

/** "object-store/1" as definitions over the list of all writes. A planted bug replaces one of them. */
export interface Definitions {
  /** The version of an object that holds. */
  holding(writes: Writes, id: string, moment: Moment): ModelWrite | undefined;
  /** What expectations are held against. */
  newest(writes: Writes, id: string): ModelWrite | undefined;
  /** Whether writing `document` over `held` would add nothing. */
  saysTheSame(held: ModelWrite, document: ObjectDocument): boolean;
  inOrder(writes: Writes): Writes;
  /** The time of a transaction, by the clock and the transaction before it. */
  timeOf(clockMs: number, lastMs: number): number;
  /** The moment asked about when a read names none. */
  defaultMoment(clockMs: number, basisMs: number, named: boolean): number;
  /** Whether `document` may become a version of the object that `earlier` was written to. */
  keepsEnvelope(earlier: ObjectDocument, document: ObjectDocument): boolean;
  meets(document: ObjectDocument, filter: Filter): boolean;
  /** How new an object is, in the order of newest first. */
  newestOf(document: ObjectDocument, types: DocumentTypes): number;
  compareIds(a: string, b: string): number;
  /** The versions that an erasure takes which names these. */
  lostWith(writes: Writes, isNamed: (write: ModelWrite) => boolean): Writes;
}

const newestFirst = (a: ModelWrite, b: ModelWrite) => b.validMs - a.validMs || b.transaction - a.transaction;

export const lawful: Definitions = {
  holding: (writes, id, { transaction, validMs }) =>
    writes
      .filter((write) => write.id === id && write.transaction <= transaction && write.validMs <= validMs)
      .sort(newestFirst)[0],
  newest: (writes, id) => writes.findLast((write) => write.id === id),
  saysTheSame: (held, document) =>
    held.erased === undefined &&
    held.document.content_hash === document.content_hash &&
    held.document.source_hash === document.source_hash,
  inOrder: (writes) => writes.toSorted(newestFirst),
  timeOf: (clockMs, lastMs) => Math.max(clockMs, lastMs),
  defaultMoment: (clockMs, basisMs, named) => (named ? basisMs : Math.max(clockMs, basisMs)),
  keepsEnvelope: (earlier, document) => earlier.identity_hash === document.identity_hash,
  meets: (document, filter) => {
    const { type, session, tool, location } = indexedFieldsOf(document);
    const { type: sourceType, namespace, pathPrefix } = filter.source ?? {};
    return [
      agrees(filter.type, (wanted) => type === wanted),
      agrees(filter.session, (wanted) => session === wanted),
      agrees(filter.tool, (wanted) => tool === wanted),
      agrees(sourceType, (wanted) => location?.type === wanted),
      agrees(namespace, (wanted) => location?.namespace === wanted),
      agrees(pathPrefix, (wanted) => location?.path.slice(0, wanted.length) === wanted),
      agrees(filter.path, (wanted) => location?.path.includes(wanted) ?? false),
      agrees(filter.where, (wanted) => contains(document, wanted)),
      agrees(filter.text, (wanted) => document.content?.toLowerCase().includes(wanted.toLowerCase()) ?? false),
    ].every(Boolean);
  },
  newestOf: (document, types) => {
    const value = document[types.get(document.type)?.indexed?.newest ?? ""];
    return typeof value === "number" && Number.isSafeInteger(value) ? Math.max(0, value) : 0;
  },
  compareIds: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  lostWith: (writes, isNamed) => {
    const named = writes.filter((write) => isNamed(write) && !write.erased);
    const attached = named.flatMap(({ id, document }) => {
      const staying = writes.filter((write) => write.id === id && !isNamed(write) && !write.erased);
      const kept = staying.flatMap((write) => attachmentIdsOf(write.document));
      return attachmentIdsOf(document).filter((attachment) => !kept.includes(attachment));
    });
    const taken = [...named, ...writes.filter(({ id, erased }) => attached.includes(id) && !erased)];
    const texts = new Set(taken.map(textOf));
    return writes.filter((write) => isNamed(write) || (textOf(write) !== "" && texts.has(textOf(write))));
  },
};

/** The hash of a text that can be shared: an empty text and an absent one cannot. */
export function textOf({ document }: ModelWrite): string {
  return document.content ? (contentDigestOf(document) ?? "") : "";
}

/** By comparing JSON texts, without the keys that indexes are made of. */
export function contains(whole: unknown, part: unknown): boolean {
  if (part === undefined) return true;
  if (whole === undefined) return false;
  if (Array.isArray(part)) {
    return (
      Array.isArray(whole) &&
      part.every((wanted) => whole.some((element) => canonicalJson(element) === canonicalJson(wanted)))
    );
  }
  if (typeof part !== "object" || part === null) return canonicalJson(whole) === canonicalJson(part);
  if (typeof whole !== "object" || whole === null || Array.isArray(whole)) return false;
  const members = new Map<string, unknown>(Object.entries(whole));
  return Object.entries(part).every(([name, wanted]) => contains(members.get(name), wanted));
}

function agrees<T>(wanted: T | undefined, holds: (wanted: T) => boolean): boolean {
  return wanted === undefined || holds(wanted);
}
