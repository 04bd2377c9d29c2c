import { randomUUID } from "node:crypto";
import { isCmError, type ObjectStore, parseSessionId, type StepAddress } from "@cm/object-model";
import { stateAt } from "@cm/step-log/load";
import { sessionError } from "../errors.ts";
import { commitUntilAnswered } from "../step/contention.ts";
import { forkedHeads, systemPromptDocument, writesOf } from "../step/step-documents.ts";

/** A session that was begun at a step of another one. */
export interface Fork {
  readonly session: string;
  readonly from: StepAddress;
}

/**
 * Begins a session that continues a step of any session. Nothing is copied: three documents are written, whatever the
 * length of the session, and the new session's first step has the old one's for its parent. `openSession` continues it.
 * The old session does not notice.
 * @throws CmError `session/not-found` where there is no such step, `session/exists` where the id is taken,
 * `model/invalid-id`, `session/damaged`, or what the store throws
 */
export async function forkSession(
  store: ObjectStore,
  from: StepAddress,
  options: { readonly session?: string } = {},
): Promise<Fork> {
  const session = parseSessionId(options.session ?? randomUUID());
  const { state, systemPrompt = "" } = await stateAt(store, from, session);
  const heads = forkedHeads(state, from);
  const documents = [heads.session, heads.chat, systemPromptDocument(session, systemPrompt)];
  try {
    await commitUntilAnswered(store, writesOf(documents, "absent"), `fork ${randomUUID()}`);
  } catch (error) {
    if (!isCmError(error, "store/conflict")) throw error;
    throw sessionError("session/exists", `There is a session ${session} already; take another id.`, { session });
  }
  return { session, from: { session: from.session, n: from.n } };
}
