import type { IncomingResult, IncomingUser } from "@cm/context-log";
import type { LogState } from "@cm/context-log/state";
import type { ObjectStore, StepMessage } from "@cm/object-model";
import type { FileIndex } from "../files/file-index.ts";
import { checkLimit } from "../input/check-limit.ts";
import { type AttachmentDocuments, type CleanResult, cleanResult, cleanUser } from "../input/clean-messages.ts";
import { type Redactor, TextCleaner } from "../input/clean-text.ts";
import type { OpenStep } from "./open-step.ts";
import { storeLateResults } from "./store-late-results.ts";
import { storedChars, type TakenMessage } from "./taken-in.ts";

interface TakeInContext {
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
  context: TakeInContext,
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
  const touches = results.flatMap(({ files }) => files);
  checkLimit(
    "incomingCharsMax",
    users.reduce((sum, user) => sum + storedChars(user), step.chars),
  );
  checkLimit("callsMax", results.length);
  checkLimit("touchesPerStepMax", step.lateTouches.length + touches.length);
  checkLimit("attachmentsPerStepMax", step.attachments.size + attachments.size + ofResults.size);
  const late = await storeLateResults(context, results, ofResults);
  step.take(inOrder(cleaned, late.documents));
  step.lateTouches.push(...touches);
  for (const [id, document] of attachments) step.attachments.set(id, document);
  step.redactions += cleaner.redactions + late.redactions;
}

/** Each message again, results with their objects. */
function inOrder(
  cleaned: readonly Cleaned[],
  documents: Awaited<ReturnType<typeof storeLateResults>>["documents"],
): readonly TakenMessage[] {
  const objects = documents.values();
  return cleaned.flatMap((one): TakenMessage[] => {
    if ("user" in one) return [{ message: one.user }];
    const { value: toolcall } = objects.next();
    if (toolcall === undefined) return [];
    return [{ message: { role: "tool", call_id: one.result.callId, object: toolcall["xt/id"] }, toolcall }];
  });
}
