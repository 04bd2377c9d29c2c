import type { ObjectDocument } from "../documents/document.ts";
import { parseDocument } from "../documents/seal.ts";
import type { DocumentTypes } from "../documents/types.ts";
import { CmError, isCmError } from "../errors.ts";
import { hashJson } from "../hashing.ts";
import { limits } from "../limits.ts";
import type { CommitOptions, Filter, Page, VersionName, VersionToken, Write } from "./object-store.ts";

/** A commit whose documents were checked, ready for any store. */
export interface CheckedCommit {
  readonly writes: readonly (Write & { readonly document: ObjectDocument })[];
  /** Valid time in milliseconds since the epoch. */
  readonly validTimeMs: number | undefined;
  readonly requestId: string | undefined;
  /** Equal for equal requests: tells a repeated commit from another one under the same request id. */
  readonly fingerprint: string;
}

/**
 * The checks that all stores make before they touch anything.
 * @throws CmError `store/invalid-document`, `store/limit`
 */
export function checkCommit(writes: readonly Write[], options: CommitOptions, types: DocumentTypes): CheckedCommit {
  if (writes.length > limits.writesPerCommitMax) throw overLimit("writesPerCommitMax", writes.length);
  if (options.requestId !== undefined && options.requestId.length > limits.requestIdCharsMax) {
    throw overLimit("requestIdCharsMax", options.requestId.length);
  }
  const validTimeMs = options.validTime === undefined ? undefined : timeOf(options.validTime);
  const checked = writes.map(({ document, expect }) => ({ document: checkDocument(document, types), expect }));
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

/** What a commit's expectations are held against. */
export interface NewestVersions<W extends Pick<Write, "document" | "expect">> {
  /** The newest version of the object of a write: its token, `absent`, or undefined where it is not known. */
  tokenOf(write: W): string | undefined;
  /** Whether two tokens name one version. Default: where they are equal. */
  isSame?(actual: string, expected: string): boolean;
}

/**
 * Refuses a commit that expects another newest version than there is. Where none is known, the expectation passes.
 * @throws CmError `store/conflict` with the ids of the objects and the tokens that they have
 */
export function checkExpectations<W extends Pick<Write, "document" | "expect">>(
  writes: readonly W[],
  { tokenOf, isSame = Object.is }: NewestVersions<W>,
): void {
  const conflicts = writes.flatMap((write) => {
    const actual = write.expect === "any" ? undefined : tokenOf(write);
    return actual === undefined || isSame(actual, write.expect) ? [] : [{ id: write.document["xt/id"], actual }];
  });
  if (conflicts.length === 0) return;
  throw new CmError(
    "store/conflict",
    `Expectations failed for ${conflicts.length} of ${writes.length} writes; read again and retry.`,
    { ids: conflicts.map(({ id }) => id), actual: conflicts.map(({ actual }) => actual) },
  );
}

/**
 * Of a sourced object the id is the hash of the source, so equal ids of one type have equal sources.
 * @param stored the type of the object of this id; undefined for none
 * @throws CmError `store/envelope-changed`
 */
export function checkEnvelope({ type: written }: Pick<ObjectDocument, "type">, stored: string | undefined): void {
  if (stored === undefined || stored === written) return;
  throw new CmError("store/envelope-changed", "An object with this id has another type; its envelope never changes.", {
    stored,
    written,
  });
}

/** @throws CmError `store/limit` */
export function checkIds(ids: readonly string[]): readonly string[] {
  if (ids.length > limits.idsPerReadMax) throw overLimit("idsPerReadMax", ids.length);
  return ids;
}

/**
 * What an erasure names, by id: all versions of the object, or those of these tokens. An object that is named as a whole
 * is, however often its versions are named beside it.
 * @throws CmError `store/limit`
 */
export function checkNamed(named: readonly (string | VersionName)[]): ReadonlyMap<string, NamedVersions> {
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

/** @throws CmError `store/limit` */
export function pageRows(page: Page | undefined): number {
  const rows = page?.limit ?? limits.pageRowsMax;
  if (!Number.isInteger(rows) || rows < 1 || rows > limits.pageRowsMax) throw overLimit("pageRowsMax", rows);
  return rows;
}

/** @throws CmError `store/unsupported` for a filter that would look at every object */
export function checkFilter(filter: Filter): Filter {
  if (filter.type !== undefined || filter.session !== undefined || filter.source !== undefined) return filter;
  throw new CmError("store/unsupported", "A filter names at least one of type, session and source; add one.");
}

/** @throws CmError `store/limit` */
export function checkReason(reason: string): string {
  if (reason.trim() === "" || reason.length > limits.reasonCharsMax) throw overLimit("reasonCharsMax", reason.length);
  return reason.toWellFormed();
}

/** @throws CmError `store/invalid-document` for a date that is none */
export function timeOf(date: Date): number {
  const ms = date.getTime();
  if (Number.isSafeInteger(ms)) return ms;
  throw new CmError("store/invalid-document", "The valid time is not a date; give one that exists.");
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

function overLimit(limit: keyof typeof limits, actual: number): CmError<"store/limit"> {
  const bound = limits[limit];
  return new CmError("store/limit", `The request passes ${limit}: ${actual} where ${bound} is allowed.`, {
    limit,
    actual,
    bound,
  });
}

/**
 * What a store's clock says, in whole milliseconds since the epoch.
 * @throws CmError `store/unavailable` where it is no time: what were written then could not be found by time again
 */
export function clockMs(now: () => number): number {
  const ms = Math.trunc(now());
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw new CmError("store/unavailable", "The store's clock gives no time; its `now` must be milliseconds since 1970.");
}
