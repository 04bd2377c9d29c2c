import type { FileTouch, IncomingAssistant, IncomingAttachment, IncomingResult, IncomingUser } from "@cm/context-log";
import {
  type AttachmentRef,
  type DocumentOf,
  defined,
  type JsonObject,
  limits as modelLimits,
  type StepMessage,
  sealAttachment,
  type Thinking,
} from "@cm/object-model";
import { checkLimit } from "./check-limit.ts";
import { cleanOutput } from "./clean-output.ts";
import type { TextCleaner } from "./clean-text.ts";

/** A result whose text was cleaned and whose attachments have their documents. */
export interface CleanResult {
  readonly callId: string;
  readonly text: string | null;
  readonly failed: boolean;
  readonly attachments: readonly AttachmentRef[];
  readonly files: readonly FileTouch[];
  /** As the harness named them. */
  readonly shows: readonly string[];
  readonly redactions: number;
}

/** An answer whose texts were cleaned. */
export interface CleanAnswer {
  readonly text: string;
  readonly thinking: readonly Thinking[];
  readonly calls: readonly { readonly callId: string; readonly tool: string; readonly args: JsonObject }[];
  readonly model: string | undefined;
  readonly stopReason: string | undefined;
}

/** Collects the documents of attachments while messages are cleaned. */
export type AttachmentDocuments = Map<string, DocumentOf<"attachment">>;

export function cleanUser(
  { text, attachments }: IncomingUser,
  cleaner: TextCleaner,
  documents: AttachmentDocuments,
): StepMessage {
  const refs = keepAttachments(attachments, documents);
  return { role: "user", text: cleaner.text(text), ...(refs.length > 0 ? { attachments: refs } : {}) };
}

export function cleanResult(result: IncomingResult, cleaner: TextCleaner, documents: AttachmentDocuments): CleanResult {
  const before = cleaner.redactions;
  const text = result.text === null ? null : cleanOutput(result.text, cleaner);
  const files = result.files ?? [];
  const shows = result.shows ?? [];
  checkLimit("touchesPerCallMax", files.length);
  checkLimit("shownObjectsMax", shows.length);
  return {
    callId: result.callId.toWellFormed(),
    text,
    failed: result.failed,
    attachments: keepAttachments(result.attachments, documents),
    files: files.map(withUsableSpan),
    shows,
    redactions: cleaner.redactions - before,
  };
}

export function cleanAnswer(answer: IncomingAssistant, cleaner: TextCleaner): CleanAnswer {
  checkLimit("callsMax", answer.calls?.length ?? 0);
  return {
    text: cleaner.text(answer.text),
    thinking: (answer.thinking ?? []).map((part) => cleanThinking(part, cleaner)),
    calls: (answer.calls ?? []).map(({ callId, tool, args }) => ({
      callId: callId.toWellFormed(),
      tool: name(tool),
      args: cleaner.args(args),
    })),
    model: answer.model === undefined ? undefined : name(answer.model),
    stopReason: answer.stopReason === undefined ? undefined : name(answer.stopReason),
  };
}

/** Spans are often made from a model's arguments. One that names no lines says nothing; the touch still counts. */
function withUsableSpan({ span, ...touch }: FileTouch): FileTouch {
  const isLine = (line: number) => Number.isSafeInteger(line) && line >= 1;
  const usable = span !== undefined && isLine(span.startLine) && (span.endLine === undefined || isLine(span.endLine));
  return usable ? { ...touch, span } : touch;
}

/** Signed and opaque reasoning goes back to its provider: it is kept to the letter but for what cannot be stored. */
function cleanThinking({ text, signature, redacted }: Thinking, cleaner: TextCleaner): Thinking {
  const opaque = signature !== undefined || redacted === true;
  return {
    text: opaque ? text.toWellFormed() : cleaner.text(text),
    ...(signature === undefined ? {} : { signature: signature.toWellFormed() }),
    ...defined({ redacted }),
  };
}

function keepAttachments(
  attachments: readonly IncomingAttachment[] | undefined,
  documents: AttachmentDocuments,
): AttachmentRef[] {
  return (attachments ?? []).map(({ mime, data }) => {
    const { document, ref } = sealAttachment(mime, data);
    documents.set(document["xt/id"], document);
    return ref;
  });
}

function name(raw: string): string {
  return raw.slice(0, modelLimits.nameCharsMax).toWellFormed();
}
