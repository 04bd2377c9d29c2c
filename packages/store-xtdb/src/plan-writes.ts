import type { ObjectDocument } from "@cm/object-model";
import type { XtdbDocument } from "@cm/xtdb-client";
import type { PlannedWrite } from "./commit-plan.ts";
import type { CommitTerms } from "./commit-record.ts";
import type { Database } from "./database.ts";
import { newestTx } from "./moment.ts";
import { documents } from "./queries.ts";
import type { Revision } from "./revision.ts";
import { timelinesOf } from "./timeline.ts";
import { effectByAll, effectByNewest, type Validity, type WriteEffect } from "./write-effect.ts";

/**
 * The effect of each write, from the newest write of its object. Where valid times were named or versions erased,
 * all writes of the object are read.
 */
export async function planWrites(
  database: Database,
  { commit, atMs }: CommitTerms,
  newest: readonly (Revision | undefined)[],
): Promise<readonly PlannedWrite[]> {
  const validity = validityOf(database, commit.validTimeMs ?? atMs);
  const planned = commit.writes.map(({ document }, place) => {
    const revision = newest[place];
    const effect = revision === undefined ? firstWrite : effectByNewest(document, validity, revision);
    return { document, newest: revision, effect };
  });
  if (planned.every(hasEffect)) return planned;
  return await planFromTimelines(database, planned, commit.validTimeMs ?? atMs);
}

const firstWrite: WriteEffect = { isUnchanged: false, isLatest: true };

type PartlyPlannedWrite = Omit<PlannedWrite, "effect"> & { readonly effect: WriteEffect | undefined };

const hasEffect = (write: PartlyPlannedWrite): write is PlannedWrite => write.effect !== undefined;

function validityOf({ memory }: Database, fromMs: number | undefined): Validity {
  return fromMs === undefined ? { notBeforeMs: memory.newest.timeMs } : { fromMs };
}

async function planFromTimelines(
  database: Database,
  writes: readonly PartlyPlannedWrite[],
  fromMs: number | undefined,
): Promise<readonly PlannedWrite[]> {
  if (fromMs === undefined) await newestTx(database);
  const validity = validityOf(database, fromMs);
  const nowMs = Math.max((database.now ?? Date.now)(), database.memory.newest.timeMs);
  const open = writes.filter((write) => !hasEffect(write)).map(({ document }) => document["xt/id"]);
  const timelines = await timelinesOf(database, open);
  const planned = writes.map((write): PlannedWrite => {
    if (hasEffect(write)) return write;
    const timeline = timelines.get(write.document["xt/id"]);
    return {
      ...write,
      effect: timeline === undefined ? firstWrite : effectByAll(write.document, validity, timeline, nowMs),
    };
  });
  return await withMatchedVersions(database, planned, new Date(nowMs));
}

/**
 * XTDB's own documents of the versions that must still hold, for the transaction to match. A version that was kept
 * aside has none.
 */
async function withMatchedVersions(
  database: Database,
  writes: readonly PlannedWrite[],
  validTime: Date,
): Promise<readonly PlannedWrite[]> {
  const { names } = database;
  const mustHold = writes.filter(({ effect }) => effect.mustHold !== undefined);
  if (mustHold.length === 0) return writes;
  const nameOf = (document: ObjectDocument) => names.object(document["xt/id"]);
  const found = await documents(
    database,
    mustHold.map(({ document }) => nameOf(document)),
    { validTime },
  );
  return writes.map((write) => {
    const stored = write.effect.mustHold === undefined ? undefined : found.get(nameOf(write.document));
    const holds = stored !== undefined && stored["cm/token"] === write.effect.mustHold?.token;
    return holds ? { ...write, mustHold: stored as XtdbDocument } : write;
  });
}
