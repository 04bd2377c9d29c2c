import { defined, type ObjectDocument, type VersionToken } from "@cm/object-model";
import { type Operation, put, type StoredDocument, type XtdbDocument } from "@cm/xtdb-client";
import type { Names } from "./names.ts";
import { storedJson } from "./stored-json.ts";
import { readToken, type TokenFacts } from "./version-token.ts";

/**
 * The newest write of an object, as the small document that commits match. Its history is the list of all writes and
 * erasures: the nth of them holds from the nth millisecond of 1970 on. So the newest one is always the one that holds,
 * whatever the valid times of the versions, however the clocks of clients and nodes go, and a write costs the same
 * after a hundred thousand others.
 */
export interface Revision {
  readonly document: XtdbDocument;
  readonly token: VersionToken;
  readonly facts: TokenFacts;
  readonly type: string;
  /** The place of the newest write or erasure in this list. */
  readonly n: number;
  /** Versions were erased since the newest write. */
  readonly isErasureMark: boolean;
}

/** The entry of an erasure in the list. */
export interface ErasureMark {
  readonly reason: string;
  /** The id of the erasure's own document. */
  readonly erasure: string;
  /** Places of the writes that were lost; all before the mark where there is no list. */
  readonly lost: readonly number[] | undefined;
  /** Milliseconds, where the store has a clock of its own. */
  readonly atMs: number | undefined;
}

export function writtenRevision(
  names: Names,
  id: string,
  type: string,
  token: VersionToken,
  facts: TokenFacts,
): Revision {
  const document = { "xt/id": names.revision(id), "cm/token": token, "cm/type": type };
  return { document, token, facts, type, n: facts.n, isErasureMark: false };
}

/** The revision that a token stands for, if the object is of this type and nothing was erased since. */
export function revisionOfToken(
  names: Names,
  { "xt/id": id, type }: Pick<ObjectDocument, "xt/id" | "type">,
  token: VersionToken,
): Revision | undefined {
  const facts = readToken(token);
  return facts === undefined ? undefined : writtenRevision(names, id, type, token, facts);
}

export function revisionWithErasureMark({ document, ...revision }: Revision, erasureMark: ErasureMark): Revision {
  const n = revision.n + 1;
  const marked: XtdbDocument = {
    "xt/id": document["xt/id"],
    "cm/token": revision.token,
    "cm/type": revision.type,
    "cm/mark": n,
    "cm/reason": erasureMark.reason,
    "cm/erasure": erasureMark.erasure,
    ...defined({
      "cm/lost": erasureMark.lost === undefined ? undefined : JSON.stringify(erasureMark.lost),
      "cm/at": erasureMark.atMs,
    }),
  };
  return { ...revision, document: marked, n, isErasureMark: true };
}

export function putRevision({ document, n }: Revision): Operation {
  return put(document, new Date(n));
}

/** `undefined` for what is no revision of this store. */
export function readRevision(document: StoredDocument): Revision | undefined {
  const { "cm/token": token, "cm/type": type, "cm/mark": erasureMark } = document;
  if (typeof token !== "string" || typeof type !== "string") return undefined;
  const facts = readToken(token);
  if (facts === undefined) return undefined;
  const isErasureMark = typeof erasureMark === "number";
  return {
    document: document as XtdbDocument,
    token,
    facts,
    type,
    n: isErasureMark ? erasureMark : facts.n,
    isErasureMark,
  };
}

export function readErasureMark(document: StoredDocument): ErasureMark | undefined {
  const { "cm/mark": n, "cm/reason": reason, "cm/erasure": erasure, "cm/lost": lost, "cm/at": at } = document;
  if (typeof n !== "number" || typeof reason !== "string" || typeof erasure !== "string") return undefined;
  const list = storedJson(lost);
  return {
    reason,
    erasure,
    lost: Array.isArray(list) ? list.map(Number) : undefined,
    atMs: typeof at === "number" ? at : undefined,
  };
}
