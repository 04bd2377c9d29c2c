import { randomFillSync } from "node:crypto";
import { sha256, type VersionToken } from "@cm/object-model";

/**
 * The content of a version token. It holds all that the object's revision document holds, so that a write under a token
 * needs no read: the document is rebuilt and matched.
 */
export interface TokenFacts {
  /** Fresh for every write, so that no two documents are ever equal. */
  readonly random: string;
  /** The object's first write is 1. */
  readonly n: number;
  readonly contentHash: string;
  /** Part of the hash of `source_hash`; empty without one. */
  readonly sourceTag: string;
  /** Milliseconds, where the write named its valid time. */
  readonly validMs: number | undefined;
  /** Milliseconds, where the store has a clock of its own. */
  readonly atMs: number | undefined;
  /** No other version has a later valid time, so this one holds from then on. */
  readonly isLatest: boolean;
  /** So far, valid times never went backwards: the order of writing is that of history. */
  readonly isInValidTimeOrder: boolean;
  /** The object lost versions before this write. */
  readonly afterErasure: boolean;
}

const pattern =
  /^([\w-]{16})\.([0-9a-z]{1,9})\.([0-9a-f]{64})\.([0-9a-f]{24}|)\.(-?[0-9a-z]{1,12}|)\.(-?[0-9a-z]{1,12}|)\.(t?o?e?)$/;

export function tokenText(facts: TokenFacts): VersionToken {
  const { random, n, contentHash, sourceTag, validMs, atMs, isLatest, isInValidTimeOrder, afterErasure } = facts;
  const flags = `${isLatest ? "t" : ""}${isInValidTimeOrder ? "o" : ""}${afterErasure ? "e" : ""}`;
  return `${random}.${n.toString(36)}.${contentHash}.${sourceTag}.${numberText(validMs)}.${numberText(atMs)}.${flags}`;
}

/** `undefined` for what is no token of this store. */
export function readToken(token: string): TokenFacts | undefined {
  const match = pattern.exec(token);
  if (match === null) return undefined;
  const [, random = "", n = "", contentHash = "", sourceTag = "", valid = "", at = "", flags = ""] = match;
  return {
    random,
    n: Number.parseInt(n, 36),
    contentHash,
    sourceTag,
    validMs: numberOf(valid),
    atMs: numberOf(at),
    isLatest: flags.includes("t"),
    isInValidTimeOrder: flags.includes("o"),
    afterErasure: flags.includes("e"),
  };
}

export function sourceTagOf(sourceHash: string | undefined): string {
  return sourceHash === undefined ? "" : sha256(sourceHash).slice(0, 24);
}

const pool = Buffer.allocUnsafe(12 * 256);
let used = pool.length;

/** 96 random bits as 16 characters. A pool, because asking the system for each costs more than the rest of a write. */
export function freshRandom(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 12;
  return pool.toString("base64url", used - 12, used);
}

const numberText = (ms: number | undefined): string => (ms === undefined ? "" : ms.toString(36));
const numberOf = (text: string): number | undefined => (text === "" ? undefined : Number.parseInt(text, 36));
