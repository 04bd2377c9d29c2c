import type { ObjectDocument } from "@cm/object-model";
import type { XtdbDocument } from "@cm/xtdb-client";
import type { JudgedWrite } from "./commit-plan.ts";
import type { CommitTerms } from "./commit-record.ts";
import type { Database } from "./database.ts";
import { type Judgement, judgeByAll, judgeByNewest, type Validity } from "./judgement.ts";
import { newestTx } from "./moment.ts";
import { documents } from "./questions.ts";
import type { Revision } from "./revision.ts";
import { timelinesOf } from "./timeline.ts";

/**
 * What each write comes to. The newest write of its object tells, but where valid times were named or versions erased:
 * then all of its writes are read.
 */
export async function judgedWrites(
  database: Database,
  { commit, atMs }: CommitTerms,
  newest: readonly (Revision | undefined)[],
): Promise<readonly JudgedWrite[]> {
  const validity = validityOf(database, commit.validTimeMs ?? atMs);
  const judged = commit.writes.map(({ document }, place) => {
    const revision = newest[place];
    const judgement = revision === undefined ? asNew : judgeByNewest(document, validity, revision);
    return { document, newest: revision, judgement };
  });
  if (judged.every(isJudged)) return judged;
  return await judgeOthers(database, judged, commit.validTimeMs ?? atMs);
}

const asNew: Judgement = { isSame: false, isTop: true };

type MaybeJudged = Omit<JudgedWrite, "judgement"> & { readonly judgement: Judgement | undefined };

const isJudged = (write: MaybeJudged): write is JudgedWrite => write.judgement !== undefined;

function validityOf({ memory }: Database, fromMs: number | undefined): Validity {
  return fromMs === undefined ? { notBeforeMs: memory.newest.timeMs } : { fromMs };
}

async function judgeOthers(
  database: Database,
  writes: readonly MaybeJudged[],
  fromMs: number | undefined,
): Promise<readonly JudgedWrite[]> {
  if (fromMs === undefined) await newestTx(database);
  const validity = validityOf(database, fromMs);
  const nowMs = Math.max((database.now ?? Date.now)(), database.memory.newest.timeMs);
  const open = writes.filter((write) => !isJudged(write)).map(({ document }) => document["xt/id"]);
  const timelines = await timelinesOf(database, open);
  const judged = writes.map((write): JudgedWrite => {
    if (isJudged(write)) return write;
    const timeline = timelines.get(write.document["xt/id"]);
    return {
      ...write,
      judgement: timeline === undefined ? asNew : judgeByAll(write.document, validity, timeline, nowMs),
    };
  });
  return await withPins(database, judged, new Date(nowMs));
}

/** XTDB's own documents of the versions that must still hold, to be matched. One that was kept aside cannot be. */
async function withPins(
  database: Database,
  writes: readonly JudgedWrite[],
  validTime: Date,
): Promise<readonly JudgedWrite[]> {
  const { names } = database;
  const pinned = writes.filter(({ judgement }) => judgement.pinned !== undefined);
  if (pinned.length === 0) return writes;
  const nameOf = (document: ObjectDocument) => names.object(document["xt/id"]);
  const found = await documents(
    database,
    pinned.map(({ document }) => nameOf(document)),
    { validTime },
  );
  return writes.map((write) => {
    const stored = write.judgement.pinned === undefined ? undefined : found.get(nameOf(write.document));
    const holds = stored !== undefined && stored["cm/token"] === write.judgement.pinned?.token;
    return holds ? { ...write, pinned: stored as XtdbDocument } : write;
  });
}
