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
import type { KnownObject } from "./known-objects.ts";
import type { ProvisionalTokens } from "./provisional-tokens.ts";

export interface PromiseOptions {
  readonly known: (id: string) => KnownObject | undefined;
  readonly tokens: ProvisionalTokens;
  /** One that the base gave: steps record it, and it has to be readable later. */
  readonly basis: Basis;
  readonly nowMs: number;
}

/** A receipt before the write, and the assumed state of the objects afterwards. */
export interface PromisedCommit {
  readonly receipt: CommitReceipt;
  readonly objects: ReadonlyMap<string, KnownObject>;
}

/**
 * Answers a commit by what is known here. An expectation about an unknown object counts as fulfilled; the base decides
 * when it is written.
 * @throws CmError `store/conflict`, `store/envelope-changed`
 */
export function promiseCommit(commit: CheckedCommit, options: PromiseOptions): PromisedCommit {
  checkAgainstKnown(commit, options);
  const transactionTime = new Date(options.nowMs);
  const objects = new Map<string, KnownObject>();
  const results = commit.writes.map((write) => {
    const id = write.document["xt/id"];
    const known = options.known(id);
    if (known?.token !== undefined && commit.validTimeMs === undefined && says(known, write)) {
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
function checkAgainstKnown({ writes }: CheckedCommit, { known, tokens }: PromiseOptions): void {
  checkAgainstNewest(writes, {
    typeOf: ({ document }) => known(document["xt/id"])?.type,
    tokenOf: ({ document }) => {
      const object = known(document["xt/id"]);
      return object?.token ?? (object?.held === "absent" ? "absent" : undefined);
    },
    isSame: (actual, expected) => tokens.real(actual) === tokens.real(expected),
  });
}

function says({ held }: KnownObject, { document }: Write): boolean {
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
function heldOf(known: KnownObject | undefined, version: StoredVersion, nowMs: number): KnownObject["held"] {
  const before = known?.held;
  if (version.validTime.getTime() > nowMs) return before;
  return typeof before === "object" && before.validTime > version.validTime ? before : version;
}
