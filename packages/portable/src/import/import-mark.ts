import {
  type DocumentOf,
  defined,
  importOwner,
  leaseId,
  type ObjectStore,
  sealDocument,
  sessionObjectId,
  stepId,
  type Write,
} from "@cm/object-model";

/**
 * The lease of a session with imported steps. It does not block other clients; it explains to a verification the
 * documents in the store without a head. `unfinished`: the import is not complete; an interrupted import leaves this
 * state. `continued`: the store has only the steps that another imported session continues.
 */
export function importMark(session: string, nowMs: number, bundle?: DocumentOf<"lease">["bundle"]): Write {
  const document = sealDocument(
    { type: "lease", id: leaseId(session) },
    {
      content: null,
      session_ref: sessionObjectId(session),
      owner: importOwner,
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
