import type { StepRecord, Usage } from "@cm/context-log";
import { checkLimit } from "./check-limit.ts";
import {
  type AttachmentDocuments,
  type CleanAnswer,
  type CleanResult,
  cleanAnswer,
  cleanResult,
} from "./clean-messages.ts";
import { type Redactor, TextCleaner } from "./clean-text.ts";

/** A step's answer and results as they will be stored, with what was gathered before its request. */
export interface CleanRecord {
  readonly answer: CleanAnswer;
  readonly results: readonly CleanResult[];
  readonly usage: Usage | undefined;
  readonly attachments: AttachmentDocuments;
  readonly redactions: number;
}

/** @throws CmError `session/invalid-input` */
export function cleanRecord(
  { answer, results = [], usage }: StepRecord,
  redact: Redactor | undefined,
  gathered: { readonly attachments: AttachmentDocuments; readonly redactions: number },
): CleanRecord {
  checkLimit("callsMax", results.length);
  const cleaner = new TextCleaner(redact);
  const attachments: AttachmentDocuments = new Map(gathered.attachments);
  const cleanedAnswer = cleanAnswer(answer, cleaner);
  const cleanedResults = results.map((result) => cleanResult(result, cleaner, attachments));
  checkLimit("attachmentsPerStepMax", attachments.size);
  return {
    answer: cleanedAnswer,
    results: cleanedResults,
    usage,
    attachments,
    redactions: gathered.redactions + cleaner.redactions,
  };
}

/** True for records that say the same: tells a repeated `record` from another one. */
export function sameRecord(a: CleanRecord, b: CleanRecord): boolean {
  const said = ({ answer, results, usage }: CleanRecord) => JSON.stringify([answer, results, usage]);
  return said(a) === said(b);
}
