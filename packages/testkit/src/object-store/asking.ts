import assert from "node:assert/strict";
import {
  type CmError,
  type CommitOptions,
  type CommitReceipt,
  type HistoryPage,
  isCmError,
  type ListedVersion,
  type ObjectDocument,
  type ObjectStore,
  type Page,
  type StoreErrorCode,
  type Write,
} from "@cm/object-model";

/** Writes without condition. */
export function put(
  store: ObjectStore,
  documents: readonly ObjectDocument[],
  options?: CommitOptions,
): Promise<CommitReceipt> {
  return store.commit(documents.map(anyway), options);
}

export function anyway(document: ObjectDocument): Write {
  return { document, expect: "any" };
}

/** The operation must fail with this code; gives the error back. */
export async function refused(operation: Promise<unknown>, code: StoreErrorCode): Promise<CmError> {
  try {
    await operation;
  } catch (error) {
    if (isCmError(error, code)) return error;
    throw otherRefusal(error, code);
  }
  assert.fail(`The operation was accepted; expected ${code}.`);
}

function otherRefusal(error: unknown, code: StoreErrorCode): Error {
  const kind = isCmError(error) ? `CmError ${error.code}` : error instanceof Error ? error.name : typeof error;
  const said = error instanceof Error ? error.message : "it is no Error";
  const message = `expected CmError ${code}, got ${kind}: ${said}`;
  return Object.assign(new assert.AssertionError({ message }), { cause: error });
}

/** The texts of an object's versions, newest first; an erased one is undefined. */
export async function textsOf(store: ObjectStore, id: string): Promise<readonly (string | null | undefined)[]> {
  return (await versionsOf(store, id)).map(({ document }) => document?.content);
}

export async function versionsOf(store: ObjectStore, id: string): Promise<readonly ListedVersion[]> {
  return (await store.history(id, { documents: true })).versions;
}

/** The text that a read gives: undefined where it gives none. */
export async function textAt(
  store: ObjectStore,
  id: string,
  at?: Parameters<ObjectStore["getMany"]>[1],
): Promise<string | null | undefined> {
  return (await store.getMany([id], at)).get(id)?.document?.content;
}

/** Two documents of one object must not only hash alike. */
export function sameDocument(actual: ObjectDocument | undefined, expected: ObjectDocument): void {
  assert.deepEqual(plain(actual), plain(expected));
}

/** Prototypes and freezing are the store's business. */
function plain(document: ObjectDocument | undefined): unknown {
  return document === undefined ? undefined : JSON.parse(JSON.stringify(document));
}

/** Follows `next` to the last page; a store that never ends is cut off. */
export async function pagesOf(
  ask: (page: Page) => Promise<HistoryPage>,
  page: Page,
): Promise<readonly (readonly ListedVersion[])[]> {
  const pages: (readonly ListedVersion[])[] = [];
  for (let cursor: string | undefined; pages.length < 100; ) {
    const { versions, next } = await ask(cursor === undefined ? page : { ...page, cursor });
    pages.push(versions);
    if (next === undefined) return pages;
    cursor = next;
  }
  assert.fail("The hundredth page still promises more.");
}
