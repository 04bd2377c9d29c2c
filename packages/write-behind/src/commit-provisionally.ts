import {
  type Basis,
  type CheckedCommit,
  type CommitReceipt,
  checkAgainstNewest,
  type StoredVersion,
  sameVersion,
  type VersionToken,
  type Write,
} from "@cm/object-model";
import type { CachedObject } from "./object-cache.ts";
import type { ProvisionalTokens } from "./provisional-tokens.ts";

export interface ProvisionalCommitOptions {
  readonly known: (id: string) => CachedObject | undefined;
  readonly tokens: ProvisionalTokens;
  /** One that the base gave: steps record it, and it has to be readable later. */
  readonly basis: Basis;
  readonly nowMs: number;
}

/** A receipt before the write, and the assumed state of the objects afterwards. */
export interface ProvisionalCommit {
  readonly receipt: CommitReceipt;
  readonly objects: ReadonlyMap<string, CachedObject>;
}

/**
 * Answers a commit from the cache. An expectation about an unknown object counts as fulfilled; the base decides
 * when it is written.
 * @throws CmError `store/conflict`, `store/envelope-changed`
 */
export function commitProvisionally(commit: CheckedCommit, options: ProvisionalCommitOptions): ProvisionalCommit {
  checkAgainstCache(commit, options);
  const transactionTime = new Date(options.nowMs);
  const objects = new Map<string, CachedObject>();
  const results = commit.writes.map((write) => {
    const id = write.document["xt/id"];
    const known = options.known(id);
    if (known?.token !== undefined && commit.validTimeMs === undefined && matchesWrite(known, write)) {
      return { id, outcome: "unchanged" as const, token: known.token };
    }
    const token = options.tokens.next();
    const version = versionOf(write, { token, transactionTime, validTimeMs: commit.validTimeMs, ...options });
    objects.set(id, { token, type: write.document.type, held: heldOf(known, version, options.nowMs) });
    return { id, outcome: "written" as const, token };
  });
  return { receipt: { basis: options.basis, transactionTime, results }, objects };
}

/** @throws CmError `store/envelope-changed`, `store/conflict` */
function checkAgainstCache({ writes }: CheckedCommit, { known, tokens }: ProvisionalCommitOptions): void {
  checkAgainstNewest(writes, {
    typeOf: ({ document }) => known(document["xt/id"])?.type,
    tokenOf: ({ document }) => {
      const object = known(document["xt/id"]);
      return object?.token ?? (object?.held === "absent" ? "absent" : undefined);
    },
    isSame: (actual, expected) => tokens.real(actual) === tokens.real(expected),
  });
}

function matchesWrite({ held }: CachedObject, { document }: Write): boolean {
  return typeof held === "object" && held.document !== undefined && sameVersion(held.document, document);
}

function versionOf(
  { document }: Write,
  at: {
    readonly token: VersionToken;
    readonly basis: Basis;
    readonly transactionTime: Date;
    readonly validTimeMs: number | undefined;
  },
): StoredVersion {
  return {
    id: document["xt/id"],
    type: document.type,
    token: at.token,
    contentHash: document.content_hash,
    validTime: new Date(at.validTimeMs ?? at.transactionTime),
    transactionTime: at.transactionTime,
    basis: at.basis,
    document,
  };
}

/** A version of the future or of the past may not be the one that holds now. */
function heldOf(known: CachedObject | undefined, version: StoredVersion, nowMs: number): CachedObject["held"] {
  const before = known?.held;
  if (version.validTime.getTime() > nowMs) return before;
  return typeof before === "object" && before.validTime > version.validTime ? before : version;
}
