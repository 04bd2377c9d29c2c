import { match, type Operation, put, type XtdbDocument } from "@cm/xtdb-client";
import type { CommitPlan } from "./commit-plan.ts";
import type { Database } from "./database.ts";
import { unknownOutcome } from "./errors.ts";
import { firstValidTime, storeLimits } from "./limits.ts";
import { putText } from "./long-text.ts";
import { always, documents } from "./queries.ts";
import { freshRandom } from "./version-token.ts";

/**
 * Adds the long texts to the plan's transaction. If that would exceed the size limit of a node, separate transactions
 * write them first: a text without a version is invisible, and the commit checks that none was erased meanwhile.
 */
export async function storeTexts(database: Database, plan: CommitPlan): Promise<CommitPlan> {
  const puts = [...plan.texts].map(([digest, content]) => ({ digest, content, chars: content.length }));
  const chars = puts.reduce((sum, text) => sum + text.chars, 0);
  const operations = (texts: typeof puts) =>
    texts.map(({ digest, content }) => putText(database.names, digest, content));
  if (chars <= storeLimits.textCharsPerTransactionMax) {
    return { ...plan, operations: [...plan.operations, ...operations(puts)] };
  }
  const guards = await tombstoneGuards(database, [...plan.texts.keys()]);
  for (const group of groupsOf(puts)) {
    const { committed } = await database.client.submitAndConfirm(operations(group));
    if (!committed) throw unknownOutcome(undefined);
  }
  return {
    ...plan,
    operations: [...guards, ...plan.operations],
    assumedBlobs: [...plan.assumedBlobs, ...plan.texts.keys()],
  };
}

/** The mark of an erased text, which makes commits that rely on the text fail. */
export function putTombstone({ names }: Database, digest: string): Operation {
  return put({ "xt/id": names.gone(digest), "cm/put": freshRandom() }, firstValidTime);
}

async function tombstoneGuards(database: Database, digests: readonly string[]): Promise<readonly Operation[]> {
  const ids = digests.map((digest) => database.names.gone(digest));
  const found = await documents(database, ids, always);
  return ids.map((id) => match(id, (found.get(id) as XtdbDocument | undefined) ?? null));
}

function groupsOf<Text extends { readonly chars: number }>(texts: readonly Text[]): readonly Text[][] {
  const groups: Text[][] = [];
  let chars = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    if (chars + text.chars > storeLimits.textCharsPerTransactionMax) {
      groups.push([]);
      chars = 0;
    }
    groups.at(-1)?.push(text);
    chars += text.chars;
  }
  return groups;
}
