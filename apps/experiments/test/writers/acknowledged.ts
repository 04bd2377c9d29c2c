import { isDocumentOf, type ObjectStore, stepId, toolcallsIn } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { listSessions, openSession } from "@cm/session";
import { requestsOf } from "@cm/session/past";

/** A step that a writer was told is recorded, with the call that it brought. */
export interface Acknowledged {
  readonly session: string;
  readonly n: number;
  readonly callId: string;
}

/** A line of `appender.ts`. */
export function acknowledged(line: string): Acknowledged {
  const [session = "", n = "", callId = ""] = line.split(" ");
  return { session, n: Number(n), callId };
}

export function inOneLine({ session, n, callId }: Acknowledged): string {
  return `${session} ${n} ${callId}`;
}

/** All steps of all sessions, as they are in the store. */
export async function stepsIn(store: ObjectStore): Promise<readonly Acknowledged[]> {
  const steps: Acknowledged[] = [];
  for (const name of await sessionsIn(store)) steps.push(...(await stepsOf(store, name)));
  return steps;
}

async function sessionsIn(store: ObjectStore): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { session } of listSessions(store)) names.push(session);
  return names;
}

/** The session's own steps, each with the call that it brought. Opening the session verifies its chain. */
async function stepsOf(store: ObjectStore, name: string): Promise<readonly Acknowledged[]> {
  const session = await openSession({ store, layout: layouts.log, rendererFor, session: name });
  const index = new Set(session.wrapper().session_index);
  await session.abandon();
  const steps: Acknowledged[] = [];
  for await (const { step } of requestsOf(store, name)) {
    if (step.session !== name) continue;
    const document = (await store.getMany([stepId(step)])).get(stepId(step))?.document;
    const callIds = document !== undefined && isDocumentOf(document, "step") ? toolcallsIn(document.messages) : [];
    for (const callId of new Set(callIds)) if (index.has(callId)) steps.push({ ...step, callId });
  }
  return steps;
}
