import type { ObjectDocument } from "../documents/document.ts";
import { type IndexEntry, indexEntryOf } from "../documents/index-entry.ts";
import { parseDocument } from "../documents/seal.ts";
import type { DocumentTypes } from "../documents/types.ts";
import { CmError, isCmError } from "../errors.ts";
import { hashJson } from "../hashing.ts";
import { limits } from "../limits.ts";
import { checkIdTexts, checkNames, checkPage, checkReasonText, checkRequestId, checkWrites } from "./check-input.ts";
import type { CommitOptions, Page, VersionName, VersionToken, Write } from "./contract.ts";
import { conflict, envelopeChanged, overLimit } from "./refusals.ts";
import { timeOf } from "./timeline.ts";

export interface CheckedWrite extends Write {
  /** Undefined where the document's type declares nothing as indexed. */
  readonly index: IndexEntry | undefined;
}

/** A commit whose documents were checked, ready for any store. */
export interface CheckedCommit {
  readonly writes: readonly CheckedWrite[];
  /** Valid time in milliseconds since the epoch. */
  readonly validTimeMs: number | undefined;
  readonly requestId: string | undefined;
  /** Equal for equal requests: tells a repeated commit from another one under the same request id. */
  readonly fingerprint: string;
}

/**
 * The checks that all stores make before they touch anything.
 * @throws CmError `store/invalid-input`, `store/invalid-document`, `store/limit`
 */
export function checkCommit(writes: readonly Write[], options: CommitOptions, types: DocumentTypes): CheckedCommit {
  checkWrites(writes);
  checkRequestId(options.requestId);
  if (writes.length > limits.writesPerCommitMax) throw overLimit("writesPerCommitMax", writes.length);
  if (options.requestId !== undefined && options.requestId.length > limits.requestIdCharsMax) {
    throw overLimit("requestIdCharsMax", options.requestId.length);
  }
  const validTimeMs = options.validTime === undefined ? undefined : timeOf(options.validTime);
  const checked = writes.map(({ document, expect }) => checkWrite(document, expect, types));
  const ids = new Set(checked.map(({ document }) => document["xt/id"]));
  if (ids.size < checked.length) {
    throw new CmError("store/invalid-document", "An object stands twice in one commit; write its last version only.");
  }
  const said = checked.map(({ document, expect }) => [
    document["xt/id"],
    document.content_hash,
    document.source_hash ?? "",
    expect,
  ]);
  return {
    writes: checked,
    validTimeMs,
    requestId: options.requestId,
    fingerprint: hashJson([validTimeMs ?? null, said]),
  };
}

/** The newest version of each object that a commit writes. */
export interface NewestVersions<W extends Pick<Write, "document" | "expect">> {
  /** The object's type, or undefined where there is none yet, or it is not known. */
  typeOf(write: W): string | undefined;
  /** Its token, `absent`, or undefined where it is not known. */
  tokenOf(write: W): string | undefined;
  /** Whether two tokens name one version. Default: where they are equal. */
  isSame?(actual: string, expected: string): boolean;
}

/**
 * Refuses a commit that would change an object's type, or that expects another newest version than there is. Where
 * nothing is known of an object, its write passes. Of a sourced object the id is the hash of the source, so equal ids
 * of one type have equal sources.
 * @throws CmError `store/envelope-changed`; `store/conflict` with the ids of the objects and the tokens that they have
 */
export function checkAgainstNewest<W extends Pick<Write, "document" | "expect">>(
  writes: readonly W[],
  { typeOf, tokenOf, isSame = Object.is }: NewestVersions<W>,
): void {
  for (const write of writes) {
    const stored = typeOf(write);
    const written = write.document.type;
    if (stored !== undefined && stored !== written) throw envelopeChanged({ stored, written });
  }
  const conflicts = writes.flatMap((write) => {
    const actual = write.expect === "any" ? undefined : tokenOf(write);
    return actual === undefined || isSame(actual, write.expect) ? [] : [{ id: write.document["xt/id"], actual }];
  });
  if (conflicts.length > 0) throw conflict(conflicts, writes.length);
}

/** @throws CmError `store/invalid-input`, `store/limit` */
export function checkIds(ids: readonly string[]): readonly string[] {
  checkIdTexts(ids);
  if (ids.length > limits.idsPerReadMax) throw overLimit("idsPerReadMax", ids.length);
  return ids;
}

/**
 * What an erasure names, by id: all versions of the object, or those of these tokens. An object that is named as a
 * whole is, however often its versions are named beside it.
 * @throws CmError `store/invalid-input`, `store/limit`
 */
export function checkNamed(named: readonly (string | VersionName)[]): ReadonlyMap<string, NamedVersions> {
  checkNames(named);
  if (named.length > limits.idsPerReadMax) throw overLimit("idsPerReadMax", named.length);
  const targets = new Map<string, Set<VersionToken> | "all">();
  for (const one of named) {
    const { id, version } = typeof one === "string" ? { id: one, version: undefined } : one;
    const known = targets.get(id);
    if (version === undefined || known === "all") targets.set(id, "all");
    else targets.set(id, (known ?? new Set()).add(version));
  }
  return targets;
}

/** Which versions of an object an erasure names. */
export type NamedVersions = "all" | ReadonlySet<VersionToken>;

export const isNamedVersion = (named: NamedVersions | undefined, token: VersionToken): boolean =>
  named === "all" || named?.has(token) === true;

/** The rows of a page of an object's history. @throws CmError `store/invalid-input`, `store/limit` */
export function historyRows(id: string, page: Page | undefined): number {
  checkIdTexts([id]);
  return pageRows(page);
}

/** @throws CmError `store/invalid-input`, `store/limit` */
export function pageRows(page: Page | undefined): number {
  checkPage(page);
  const rows = page?.limit ?? limits.pageRowsMax;
  if (!Number.isInteger(rows) || rows < 1 || rows > limits.pageRowsMax) throw overLimit("pageRowsMax", rows);
  return rows;
}

/** @throws CmError `store/invalid-input`, `store/limit` */
export function checkReason(reason: string): string {
  checkReasonText(reason);
  if (reason.trim() === "" || reason.length > limits.reasonCharsMax) throw overLimit("reasonCharsMax", reason.length);
  return reason.toWellFormed();
}

function checkWrite(given: ObjectDocument, expect: Write["expect"], types: DocumentTypes): CheckedWrite {
  const document = checkDocument(given, types);
  const index = indexEntryOf(document, types.get(document.type));
  if (index !== undefined && index.keys.length > limits.indexKeysMax) {
    throw overLimit("indexKeysMax", index.keys.length);
  }
  return { document, expect, index };
}

function checkDocument(document: ObjectDocument, types: DocumentTypes): ObjectDocument {
  try {
    return parseDocument(document, types);
  } catch (error) {
    if (!isCmError(error)) throw error;
    const code = error.code === "model/limit" ? "store/limit" : "store/invalid-document";
    throw new CmError(code, error.message, error.data, { cause: error });
  }
}
