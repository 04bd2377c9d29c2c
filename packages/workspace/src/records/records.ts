import { randomUUID } from "node:crypto";
import {
  everyVersion,
  type FindOptions,
  isCmError,
  type ListedVersion,
  type ObjectDocument,
  type ObjectStore,
  payloadOf,
  sealDocument,
  type VersionToken,
  type Write,
} from "@cm/object-model";
import { type RecordFields, type RecordType, withWorkspaceTypes } from "../documents/types.ts";
import { failure } from "../errors.ts";
import { limits } from "../limits.ts";

/** A record as it was read, and what a change of it expects. */
export interface ReadRecord<Type extends RecordType = RecordType> {
  readonly id: string;
  readonly token: VersionToken;
  readonly fields: Readonly<RecordFields[Type]>;
}

const types = withWorkspaceTypes();

/** The records of this package in an object store. */
export class Records {
  readonly store: ObjectStore;

  constructor(store: ObjectStore) {
    this.store = store;
  }

  /** What holds now; `undefined` for what was never written, or was erased. */
  async get<Type extends RecordType>(type: Type, id: string): Promise<ReadRecord<Type> | undefined> {
    return (await this.getMany(type, [id])).get(id);
  }

  async getMany<Type extends RecordType>(
    type: Type,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, ReadRecord<Type>>> {
    const found = await this.store.getMany(ids);
    return new Map(
      [...found].flatMap(([id, { document, token }]) =>
        document?.type === type ? [[id, { id, token, fields: fieldsOf(document) as RecordFields[Type] }] as const] : [],
      ),
    );
  }

  /** Ids that were ever written, erased ones included: nothing is created under them again. */
  async takenOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await this.store.getMany(ids)).keys());
  }

  async find<Type extends RecordType>(
    type: Type,
    where: Readonly<Record<string, unknown>>,
    options: FindOptions = {},
  ): Promise<{ readonly rows: readonly ReadRecord<Type>[]; readonly next?: string }> {
    const { versions, next } = await this.store.find({ type, where }, { ...options, documents: true });
    const rows = versions.flatMap((version) => listed<Type>(version));
    return next === undefined ? { rows } : { rows, next };
  }

  /** All of them, page by page. */
  async *every<Type extends RecordType>(
    type: Type,
    where: Readonly<Record<string, unknown>>,
  ): AsyncGenerator<ReadRecord<Type>> {
    const pages = everyVersion((page) => this.store.find({ type, where }, { ...page, documents: true }));
    for await (const version of pages) yield* listed<Type>(version);
  }

  /**
   * Reads, decides and writes in one commit, again where another client was faster in between.
   * @throws CmError `workspace/conflict` after `attemptsMax` times
   */
  async change<Result>(decide: () => Promise<{ readonly writes: readonly Write[]; readonly result: Result }>) {
    for (let attempt = 0; attempt < limits.attemptsMax; attempt++) {
      try {
        const { writes, result } = await decide();
        if (writes.length > 0) await this.commit(writes);
        return result;
      } catch (error) {
        if (!isCmError(error, "store/conflict")) throw error;
      }
    }
    throw failure("workspace/conflict", "Other clients changed the same records again and again; try again later.");
  }

  /** Writes once, whatever answers are lost. @throws what the store throws */
  async commit(writes: readonly Write[]): Promise<void> {
    const requestId = randomUUID();
    for (let attempt = 0; ; attempt++) {
      try {
        await this.store.commit(writes, { requestId });
        return;
      } catch (error) {
        // Under the same request id the same commit is written once.
        if (!isCmError(error, "store/unknown-outcome") || attempt >= limits.attemptsMax) throw error;
      }
    }
  }
}

const fieldsOf = (document: ObjectDocument): unknown => payloadOf(document);

const listed = <Type extends RecordType>({ id, token, document }: ListedVersion): readonly ReadRecord<Type>[] =>
  document === undefined ? [] : [{ id, token, fields: fieldsOf(document) as RecordFields[Type] }];

export function created<Type extends RecordType>(type: Type, id: string, fields: RecordFields[Type]): Write {
  return { document: sealDocument({ type, id }, fields, types), expect: "absent" };
}

export function written<Type extends RecordType>(type: Type, id: string, fields: RecordFields[Type]): Write {
  return { document: sealDocument({ type, id }, fields, types), expect: "any" };
}

export function changed<Type extends RecordType>(
  type: Type,
  { id, token, fields }: ReadRecord<Type>,
  changes: Partial<RecordFields[Type]>,
): Write {
  return { document: sealDocument({ type, id }, { ...fields, ...changes }, types), expect: token };
}

/**
 * Writes nothing: its commit is refused where the record is not as it was read. What a workspace owns is written with it,
 * since a purge begins with the workspace and takes what it then finds.
 */
export const unchanged = <Type extends RecordType>(type: Type, record: ReadRecord<Type>): Write =>
  changed(type, record, {});
