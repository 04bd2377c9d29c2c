import { type DocumentOf, isDocumentOf, type ObjectStore, sessionObjectId } from "@cm/object-model";
import { listSessions, type SessionSummary } from "@cm/session";

export interface ForkedSession {
  readonly session: string;
  readonly head: DocumentOf<"session">;
}

/**
 * The sessions that began at steps that this one wrote, and those that began at theirs: each behind the one that it began
 * in, the one that went on first before the others.
 */
export async function forksOf(store: ObjectStore, session: string): Promise<readonly ForkedSession[]> {
  const byOrigin = new Map<string, SessionSummary[]>();
  for await (const summary of listSessions(store)) {
    const origin = summary.forkedFrom?.session;
    if (origin !== undefined) byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), summary]);
  }
  const found = inOrder(byOrigin, session);
  const heads = await store.getMany(found.map(sessionObjectId));
  return found.flatMap((fork) => {
    const head = heads.get(sessionObjectId(fork))?.document;
    return isDocumentOf(head, "session") ? [{ session: fork, head }] : [];
  });
}

function inOrder(byOrigin: ReadonlyMap<string, readonly SessionSummary[]>, session: string): readonly string[] {
  const found = new Set<string>();
  const waiting = [session];
  for (let origin = waiting.pop(); origin !== undefined; origin = waiting.pop()) {
    if (found.has(origin)) continue;
    found.add(origin);
    const begun = [...(byOrigin.get(origin) ?? [])].sort(byTime);
    waiting.push(...begun.reverse().map((summary) => summary.session));
  }
  found.delete(session);
  return [...found];
}

const byTime = (a: SessionSummary, b: SessionSummary): number =>
  (a.recordedAtMs ?? 0) - (b.recordedAtMs ?? 0) || (a.session < b.session ? -1 : 1);
