import type { FileTouch, IncomingResult, IncomingUser } from "@cm/context-log";
import type { LogState } from "@cm/context-log/state";
import type { DocumentOf, ObjectStore, StepMessage, Write } from "@cm/object-model";
import type { FileIndex } from "../files/file-index.ts";
import { isStoredInSight } from "../files/observed.ts";
import type { NewestWrites } from "../files/stored-files.ts";
import { fileIdOf, type IndexedFile } from "../files/touches.ts";
import { checkLimit } from "../input/check-input.ts";
import {
  type AttachmentDocuments,
  type CleanResult,
  cleanResult,
  cleanUser,
  type Redactor,
  TextCleaner,
} from "../input/clean.ts";
import { retryOnConflict } from "./contention.ts";
import type { OpenStep } from "./open-step.ts";
import { type LateTouch, storedChars, type TakenMessage } from "./pending.ts";
import { writesOf } from "./step-documents.ts";
import { draftToolcalls, separateDrafts, settleToolcalls, toolcallDocument } from "./toolcall-documents.ts";

interface EnqueueContext {
  readonly store: ObjectStore;
  readonly files: FileIndex;
  readonly redact: Redactor | undefined;
  readonly state: LogState;
  readonly step: OpenStep;
  readonly nextStep: number;
}

type Cleaned = { readonly user: StepMessage } | { readonly result: CleanResult };

/**
 * Takes messages into the open step, all or none: first everything that can fail, then what changes the session.
 * @throws CmError `session/invalid-input`, or what the store throws
 */
export async function enqueueMessages(
  context: EnqueueContext,
  messages: readonly (IncomingUser | IncomingResult)[],
): Promise<void> {
  const { step } = context;
  checkLimit("messagesMax", step.messages.length + messages.length);
  const cleaner = new TextCleaner(context.redact);
  const attachments: AttachmentDocuments = new Map();
  const ofResults: AttachmentDocuments = new Map();
  const cleaned = messages.map((message): Cleaned => {
    if (message.role === "user") return { user: cleanUser(message, cleaner, attachments) };
    return { result: cleanResult(message, cleaner, ofResults) };
  });
  const users = cleaned.flatMap((one) => ("user" in one ? one.user : []));
  const results = cleaned.flatMap((one) => ("result" in one ? one.result : []));
  checkLimit(
    "incomingCharsMax",
    users.reduce((sum, user) => sum + storedChars(user), step.chars),
  );
  checkLimit("callsMax", results.length);
  checkLimit("touchesPerStepMax", step.lateTouches.length + results.flatMap(({ files }) => files).length);
  checkLimit("attachmentsPerStepMax", step.attachments.size + attachments.size + ofResults.size);
  const late = await storeLateResults(context, results, ofResults);
  step.take(inOrder(cleaned, late.documents));
  step.lateTouches.push(...late.touches);
  step.see(late.files);
  for (const [id, document] of attachments) step.attachments.set(id, document);
  step.redactions += cleaner.redactions;
}

/** Each message again, results with their objects. */
function inOrder(cleaned: readonly Cleaned[], documents: readonly DocumentOf<"toolcall">[]): readonly TakenMessage[] {
  const objects = documents.values();
  return cleaned.flatMap((one): TakenMessage[] => {
    if ("user" in one) return [{ message: one.user }];
    const { value: toolcall } = objects.next();
    if (toolcall === undefined) return [];
    return [{ message: { role: "tool", call_id: one.result.callId, object: toolcall["xt/id"] }, toolcall }];
  });
}

interface LateResults {
  readonly documents: readonly DocumentOf<"toolcall">[];
  readonly touches: readonly LateTouch[];
  /** As they were found. */
  readonly files: readonly IndexedFile[];
}

/**
 * Stores results that arrive after their step was written, before a prompt names them: their ids are settled then.
 * The files they touched are looked at, so that the objects can name them. Should the process die here, objects are
 * left that no step names; the same results find them again.
 * @returns an object for each result, in order, and what they touched
 */
async function storeLateResults(
  { store, files, state, nextStep }: EnqueueContext,
  results: readonly CleanResult[],
  attachments: AttachmentDocuments,
): Promise<LateResults> {
  if (results.length === 0) return { documents: [], touches: [], files: [] };
  const step = { session: state.session, n: nextStep };
  const drafts = draftToolcalls(results, [], { openCalls: state.openCalls, step, place: state.log.length });
  const touches = results.flatMap((result) => result.files);
  const isInSight = isStoredInSight(state);
  let indexed = await files.index(touches, isInSight);
  const busy = `Late results of session ${state.session} could not be stored; try again.`;
  const lost = async (newest: NewestWrites): Promise<void> => {
    await settleToolcalls(store, state, drafts, { lost: newest, indexed });
    indexed = await files.indexAgain(touches, indexed, { newest, isInSight });
  };
  return retryOnConflict({ session: state.session, busy, lost }, async () => {
    separateDrafts(drafts, (id) => state.objects.has(id));
    const documents = drafts.map((draft) => toolcallDocument(draft, state, indexed));
    const writes: Write[] = [
      ...writesOf(attachments.values(), "any"),
      ...[...indexed.values()].flatMap(({ write }) => write ?? []),
      ...documents.flatMap((document, at): Write[] => (drafts[at]?.stored ? [] : [{ document, expect: "absent" }])),
    ];
    try {
      if (writes.length > 0) await store.commit(writes);
    } catch (error) {
      files.failed(indexed.keys());
      throw error;
    }
    files.confirm(indexed.keys());
    return { documents, touches: touches.map(foundBy(indexed)), files: [...indexed.values()] };
  });
}

/** The look at a file that was reached, if only to find that it is not there. */
function foundBy(indexed: ReadonlyMap<string, IndexedFile>): (touch: FileTouch) => LateTouch {
  return (touch) => {
    const { document, outcome } = indexed.get(fileIdOf(touch)) ?? {};
    if (document === undefined || outcome === "unreachable" || document.null_reason === "unread") return touch;
    return { ...touch, sourceHash: document.source_hash ?? null };
  };
}
