import { type CommitReceipt, contentDigestOf, indexEntryOf, type ObjectDocument } from "@cm/object-model";
import { match, type Operation, put, type XtdbDocument } from "@cm/xtdb-client";
import type { CommitTerms } from "./commit-record.ts";
import { commitRecord } from "./commit-record.ts";
import type { Database } from "./database.ts";
import { firstValidTime } from "./limits.ts";
import { isLong } from "./long-text.ts";
import { objectEntity } from "./object-entity.ts";
import { putRevision, type Revision, writtenRevision } from "./revision.ts";
import { freshRandom, sourceTagOf, type TokenFacts, tokenText } from "./version-token.ts";
import type { WriteEffect } from "./write-effect.ts";

/** A write, the assumed newest revision of its object, and the effect of the write. */
export interface PlannedWrite {
  readonly document: ObjectDocument;
  readonly newest: Revision | undefined;
  readonly effect: WriteEffect;
  /** XTDB's own document of the version that must still hold. */
  readonly mustHold?: XtdbDocument;
}

/** One transaction, and what is true once it is committed. */
export interface CommitPlan {
  /** Tells this attempt from others of the same commit. */
  readonly attempt: string;
  readonly operations: readonly Operation[];
  /** Long texts to put, by digest. */
  readonly texts: ReadonlyMap<string, string>;
  /** Digests of texts that the plan assumes to be stored. */
  readonly assumedBlobs: readonly string[];
  readonly results: CommitReceipt["results"];
  readonly revisions: readonly (readonly [string, Revision])[];
}

/** Matches first: a transaction that is not to be costs the node no more than that. */
export function planCommit(database: Database, terms: CommitTerms, writes: readonly PlannedWrite[]): CommitPlan {
  const { names } = database;
  const matches: Operation[] = [match(terms.request, null)];
  const puts: Operation[] = [];
  const texts = new Map<string, string>();
  const assumedBlobs = new Set<string>();
  const holders: (readonly [string, string])[] = [];
  const revisions: (readonly [string, Revision])[] = [];
  const from = validFrom(terms);
  const results = writes.map(({ document, newest, effect, mustHold }): CommitReceipt["results"][number] => {
    const id = document["xt/id"];
    matches.push(match(names.revision(id), newest?.document ?? null));
    if (mustHold !== undefined) matches.push(match(names.object(id), mustHold));
    if (newest !== undefined && effect.isUnchanged) return { id, outcome: "unchanged", token: newest.token };
    const facts = tokenFacts(terms, { document, newest, effect });
    const revision = writtenRevision(names, id, document.type, tokenText(facts), facts);
    const digest = contentDigestOf(document);
    const { token } = revision;
    const index = indexEntryOf(document, database.types.get(document.type));
    puts.push(putRevision(revision));
    puts.push(
      put(
        objectEntity(names, document, {
          token,
          request: terms.request,
          digest,
          afterErasure: facts.afterErasure,
          index,
        }),
        from,
      ),
    );
    revisions.push([id, revision]);
    if (document.content !== null && document.content !== "" && digest !== null) {
      holders.push([names.tag(digest), id]);
      if (isLong(document.content)) {
        if (database.memory.texts.isStored(digest)) assumedBlobs.add(digest);
        else texts.set(digest, document.content);
      }
    }
    return { id, outcome: "written", token };
  });
  for (const digest of assumedBlobs) matches.push(match(names.gone(digest), null));
  const attempt = freshRandom();
  const record = commitRecord(terms, { attempt, texts: holders, results });
  const operations = [...matches, put(record, firstValidTime), ...puts];
  return { attempt, operations, texts, assumedBlobs: [...assumedBlobs], results, revisions };
}

function tokenFacts(
  { commit, atMs }: CommitTerms,
  { document, newest, effect: { isLatest } }: PlannedWrite,
): TokenFacts {
  return {
    random: freshRandom(),
    n: (newest?.n ?? 0) + 1,
    contentHash: document.content_hash,
    sourceTag: sourceTagOf(document.source_hash),
    validMs: commit.validTimeMs,
    atMs,
    isLatest,
    isInValidTimeOrder: isLatest && (newest?.facts.isInValidTimeOrder ?? true),
    afterErasure: newest !== undefined && (newest.isErasureMark || newest.facts.afterErasure),
  };
}

/** Without one, XTDB takes the transaction's own time. */
function validFrom({ commit: { validTimeMs }, atMs }: CommitTerms): Date | undefined {
  const ms = validTimeMs ?? atMs;
  return ms === undefined ? undefined : new Date(ms);
}
