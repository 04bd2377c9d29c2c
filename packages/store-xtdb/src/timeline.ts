import { type Erasure, refusals, timeline, type VersionToken } from "@cm/object-model";
import type { HistoryEntry } from "@cm/xtdb-client";
import type { Database } from "./database.ts";
import { type ErasureMark, type Revision, readErasureMark, readRevision } from "./revision.ts";
import type { TokenFacts } from "./version-token.ts";

/** One write of an object, with both its times. */
export interface Stamp {
  readonly id: string;
  readonly type: string;
  readonly token: VersionToken;
  readonly facts: TokenFacts;
  readonly txId: number;
  readonly transactionMs: number;
  readonly validMs: number;
  readonly erased: Erasure | undefined;
}

/** An erasure that took place: the id of its own document, and its transaction. */
export interface PastErasure {
  readonly record: string;
  readonly txId: number;
}

/** All writes of an object, by valid time and then transaction, newest first, and its newest revision. */
export interface Timeline {
  readonly stamps: readonly Stamp[];
  /** The erasures of its versions, oldest first. */
  readonly erasures: readonly PastErasure[];
  readonly newest: Revision;
}

/** Both times of a write. What a token does not name is the transaction's. */
export function timesOf({ validMs, atMs }: TokenFacts, txTimeMs: number): { transactionMs: number; validMs: number } {
  const transactionMs = atMs ?? txTimeMs;
  return { transactionMs, validMs: validMs ?? transactionMs };
}

/** Objects that were never written are left out. @throws CmError `store/corrupt` */
export async function timelinesOf(
  { client, names }: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Timeline>> {
  const found = await client.histories(ids.map((id) => names.revision(id)));
  const timelines = new Map<string, Timeline>();
  for (const id of ids) {
    const entries = found.get(names.revision(id));
    if (entries !== undefined) timelines.set(id, timelineOf(id, entries));
  }
  return timelines;
}

/** From the history of its revisions, oldest first. @throws CmError `store/corrupt` */
export function timelineOf(id: string, entries: readonly HistoryEntry[]): Timeline {
  const stamps: Stamp[] = [];
  const erasures: PastErasure[] = [];
  let newest: Revision | undefined;
  for (const entry of entries) {
    const { document } = entry;
    const revision = document === null || document === undefined ? undefined : readRevision(document);
    if (document === null || document === undefined || revision === undefined)
      throw refusals.corruptObject(id, "list of versions");
    newest = revision;
    const erasureMark = readErasureMark(document);
    if (erasureMark === undefined) stamps.push(stampOf(id, revision, entry));
    else {
      erase(stamps, erasureMark, entry);
      erasures.push({ record: erasureMark.erasure, txId: entry.txId });
    }
  }
  if (newest === undefined) throw refusals.corruptObject(id, "list of versions");
  return { stamps: stamps.sort(timeline.newestFirst), erasures, newest };
}

export function stampOf(id: string, { token, facts, type }: Revision, entry: { txId: number; txTime: Date }): Stamp {
  const times = timesOf(facts, entry.txTime.getTime());
  return { id, type, token, facts, txId: entry.txId, ...times, erased: undefined };
}

/** An earlier erasure keeps its first reason. */
function erase(stamps: Stamp[], { lost, reason, atMs }: ErasureMark, { txTime }: HistoryEntry): void {
  for (const [place, stamp] of stamps.entries()) {
    const isLost = lost === undefined || lost.includes(stamp.facts.n);
    if (!isLost || stamp.erased !== undefined) continue;
    stamps[place] = { ...stamp, erased: { reason, at: new Date(atMs ?? txTime.getTime()) } };
  }
}
