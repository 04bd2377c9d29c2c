import { type ObjectStore, type StepAddress, type StoredVersion, stepId } from "@cm/object-model";
import { checkSession, checkStep, isStepNumber } from "../check-input.ts";
import { noStep, stepLogError } from "../errors.ts";
import { readHeads, type SessionHeads } from "./read-path.ts";

/** The heads of the session that a caller names. @throws CmError `session/invalid-input`, `session/not-found`, `session/damaged` */
export async function readNamedHeads(store: ObjectStore, session: string): Promise<SessionHeads> {
  checkSession(session);
  const heads = await readHeads(store, session);
  if (heads !== undefined) return heads;
  throw stepLogError("session/not-found", `There is no session ${session} in this store.`, { session });
}

/** The step that a caller names. @throws CmError `session/invalid-input`, `session/not-found` */
export async function readNamedStep(store: ObjectStore, at: StepAddress): Promise<StoredVersion> {
  checkStep(at);
  const step = isStepNumber(at.n) ? (await store.getMany([stepId(at)])).get(stepId(at)) : undefined;
  if (step === undefined) throw noStep(at);
  return step;
}
