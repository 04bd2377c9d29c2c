import { randomUUID } from "node:crypto";
import {
  type CommitReceipt,
  type Filter,
  type FindOptions,
  findCursor,
  isCmError,
  type ListedVersion,
  type ObjectDocument,
  type ObjectStore,
  payloadOf,
  type StoredVersion,
  sealDocument,
  type VersionToken,
  type Write,
} from "@cm/object-model";
import { conversationObjectId, mailObjectId, ownerObjectId, runObjectId } from "../documents/ids.ts";
import {
  type ConversationFields,
  lineageTypes,
  type MailFields,
  type OwnerFields,
  type RunFields,
} from "../documents/types.ts";
import { fault } from "../errors.ts";
import { lineageLimits } from "../limits.ts";

/** A record as it was read, with the token that a write to it expects. */
export interface Stored<Fields> {
  readonly id: string;
  readonly fields: Fields;
  readonly token: VersionToken;
}

interface FieldsByType {
  readonly conversation: ConversationFields;
  readonly run: RunFields;
  readonly mail: MailFields;
  readonly run_owner: OwnerFields;
}
export type RecordType = keyof FieldsByType;
export type FieldsOf<Type extends RecordType> = FieldsByType[Type];

const objectIds: Readonly<Record<RecordType, (id: string) => string>> = {
  conversation: conversationObjectId,
  run: runObjectId,
  mail: mailObjectId,
  run_owner: ownerObjectId,
};

/** A page of records, newest first. */
export interface RecordPage<Type extends RecordType> {
  readonly records: readonly Stored<FieldsOf<Type>>[];
  readonly next?: string;
}

/** What a plan writes, and what is given back once that is committed. */
export interface Plan<T> {
  readonly writes: readonly Write[];
  readonly result: T;
}

/** Records of this package in a store: typed reads, and writes that hold only where nothing changed meanwhile. */
export class Records {
  readonly #store: ObjectStore;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  async read<Type extends RecordType>(type: Type, id: string): Promise<Stored<FieldsOf<Type>> | undefined> {
    return (await this.readMany(type, [id])).get(id);
  }

  /** Whether a run or a conversation has the id. */
  async isTaken(id: string): Promise<boolean> {
    return (await this.#store.getMany([runObjectId(id), conversationObjectId(id)])).size > 0;
  }

  async readMany<Type extends RecordType>(
    type: Type,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Stored<FieldsOf<Type>>>> {
    const found = await this.#store.getMany(ids.map(objectIds[type]));
    return new Map(ids.flatMap((id) => entryOf<Type>(id, found.get(objectIds[type](id)))));
  }

  async page<Type extends RecordType>(
    type: Type,
    where: Filter["where"],
    options: Pick<FindOptions, "limit" | "cursor"> = {},
  ): Promise<RecordPage<Type>> {
    const filter: Filter = where === undefined ? { type } : { type, where };
    const { versions, next } = await this.#store.find(filter, { ...options, order: "newest", documents: true });
    const prefix = objectIds[type]("").length;
    const records = versions.flatMap((version) => storedOf<Type>(version.id.slice(prefix), version) ?? []);
    return next === undefined ? { records } : { records, next };
  }

  /** All records, page by page, newest first. */
  async *all<Type extends RecordType>(type: Type, where: Filter["where"]): AsyncGenerator<Stored<FieldsOf<Type>>> {
    for (let cursor: string | undefined; ; ) {
      const { records, next } = await this.page(type, where, {
        limit: lineageLimits.pageRowsMax,
        ...(cursor === undefined ? {} : { cursor }),
      });
      yield* records;
      if (next === undefined) return;
      cursor = next;
    }
  }

  /**
   * Commits what `plan` says, planned anew from what is stored as long as other writers are faster.
   * @throws CmError `lineage/contention`, what the plan throws, and the store's own
   */
  async change<T>(plan: () => Promise<Plan<T>>): Promise<T> {
    for (let attempt = 0; attempt < lineageLimits.attemptsMax; attempt += 1) {
      const { writes, result } = await plan();
      try {
        if (writes.length > 0) await this.#commit(writes);
        return result;
      } catch (error) {
        if (!isCmError(error, "store/conflict")) throw error;
      }
    }
    throw fault("lineage/contention", "Other writers were faster every time; try again later.");
  }

  /** A lost answer is asked for again under the same request id: what was committed is not committed twice. */
  async #commit(writes: readonly Write[]): Promise<CommitReceipt> {
    const requestId = `lineage:${randomUUID()}`;
    for (let send = 1; ; send += 1) {
      try {
        return await this.#store.commit(writes, { requestId });
      } catch (error) {
        if (!isCmError(error, "store/unknown-outcome") || send >= lineageLimits.sendsMax) throw error;
      }
    }
  }
}

/** A write of a record that must not be there yet. */
export function created<Type extends RecordType>(type: Type, id: string, fields: FieldsOf<Type>): Write {
  return { document: sealed(type, id, fields), expect: "absent" };
}

/** A write over the record as it was read. */
export function changed<Type extends RecordType>(
  type: Type,
  { id, fields, token }: Stored<FieldsOf<Type>>,
  changes: Partial<FieldsOf<Type>>,
): Write {
  return { document: sealed(type, id, { ...fields, ...changes }), expect: token };
}

/** The cursor of a page that goes on after a record. */
export function cursorAfter(
  type: "run" | "conversation",
  { id, fields }: Stored<RunFields> | Stored<ConversationFields>,
): string {
  const newest = "created_us" in fields ? fields.created_us : fields.created_at;
  return findCursor("newest", { newest, id: objectIds[type](id) });
}

/** @throws CmError `lineage/invalid` for what its schema does not take */
function sealed<Type extends RecordType>(type: Type, id: string, fields: FieldsOf<Type>): ObjectDocument {
  try {
    return sealDocument({ type, id: objectIds[type](id) }, { ...fields, content: null }, lineageTypes);
  } catch (error) {
    if (!isCmError(error) || !error.code.startsWith("model/")) throw error;
    const named = error.data.fields;
    const field = Array.isArray(named) ? named.join(", ") : type;
    throw fault(
      "lineage/invalid",
      `The ${type} is wrong in: ${field}. Give what its type describes.`,
      { field },
      error,
    );
  }
}

const entryOf = <Type extends RecordType>(id: string, version: StoredVersion | undefined) => {
  const stored = version === undefined ? undefined : storedOf<Type>(id, version);
  return stored === undefined ? [] : [[id, stored] as const];
};

/** Undefined for an erased one. The store checked the document when it was written. */
function storedOf<Type extends RecordType>(
  id: string,
  { document, token }: ListedVersion | StoredVersion,
): Stored<FieldsOf<Type>> | undefined {
  if (document === undefined) return undefined;
  const { content: _content, ...fields } = payloadOf(document);
  return { id, fields: fields as unknown as FieldsOf<Type>, token };
}
