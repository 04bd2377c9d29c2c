import { firstChain, isCmError, type Write } from "@cm/object-model";
import { sessionError } from "../errors.ts";
import { firstHeads } from "../step/head-documents.ts";
import { Lease } from "../step/lease.ts";
import { systemPromptDocument } from "../step/step-documents.ts";
import { type Acquired, type AcquireOptions, acquireSession } from "./acquire-session.ts";

export interface StartedOrTakenUp extends Acquired {
  /** It was there before. */
  readonly continued: boolean;
}

/**
 * Takes up a session, or starts it where there is none. Where two clients start one, both go on with the first.
 * @throws CmError `session/damaged`, `session/busy`, or what the store throws
 */
export async function takeUpOrStart(options: AcquireOptions, systemPrompt: string): Promise<StartedOrTakenUp> {
  const existing = await acquireSession(options);
  if (existing !== undefined) return { ...existing, continued: true };
  const lost = await start(options, systemPrompt);
  const started = await acquireSession(options);
  if (started !== undefined) return { ...started, continued: isCmError(lost, "store/conflict") };
  if (isCmError(lost, "store/unknown-outcome")) throw lost;
  const { session } = options;
  throw sessionError("session/damaged", `The session ${session} was written and cannot be read back.`, { session });
}

/** Writes the infrastructure of a new session (SSOT 5.7). Gives what leaves open whether it is there now. */
async function start(options: AcquireOptions, systemPrompt: string): Promise<unknown> {
  const { store, session, nowMs } = options;
  const heads = firstHeads(session, firstChain(session));
  const documents = [heads.session, heads.chat, systemPromptDocument(session, systemPrompt)];
  const writes = documents.map((document): Write => ({ document, expect: "absent" }));
  try {
    await store.commit([...writes, ...new Lease(options, undefined).renewal(nowMs)]);
    return undefined;
  } catch (error) {
    if (isCmError(error, "store/conflict") || isCmError(error, "store/unknown-outcome")) return error;
    throw error;
  }
}
