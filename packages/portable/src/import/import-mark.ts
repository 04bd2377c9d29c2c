import {
  type DocumentOf,
  defined,
  leaseId,
  type ObjectStore,
  sealDocument,
  sessionObjectId,
  stepId,
  type Write,
} from "@cm/object-model";

/** Named in a lease that an import wrote. */
const owner = "an import";

/**
 * The lease of a session that a bundle brings steps of. It holds nobody off: it tells a verification what stands in the
 * store without a head. `unfinished`: the import has not come to its end, and one that was cut leaves it so.
 * `continued`: the store has only what another session from a bundle goes on from.
 */
export function importMark(session: string, nowMs: number, bundle?: DocumentOf<"lease">["bundle"]): Write {
  const document = sealDocument(
    { type: "lease", id: leaseId(session) },
    {
      content: null,
      session_ref: sessionObjectId(session),
      owner,
      acquired_at: nowMs,
      expires_at: nowMs,
      ...defined({ bundle }),
    },
  );
  return { document, expect: "any" };
}

/** Sessions of which the store has neither a head nor a lease. */
export async function unknownSessions(store: ObjectStore, sessions: readonly string[]): Promise<readonly string[]> {
  const ids = sessions.flatMap((session) => [sessionObjectId(session), leaseId(session)]);
  const known = await store.getMany(ids);
  return sessions.filter((session) => !known.has(sessionObjectId(session)) && !known.has(leaseId(session)));
}

/** Whether the store has steps behind a head: those of a longer bundle, whose import was cut. */
export async function hasStepsBeyond(store: ObjectStore, session: string, nextStep: number): Promise<boolean> {
  const id = stepId({ session, n: nextStep });
  return (await store.getMany([id])).has(id);
}
