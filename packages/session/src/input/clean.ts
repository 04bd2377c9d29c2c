import type {
  Amendment,
  FileTouch,
  IncomingAssistant,
  IncomingAttachment,
  IncomingResult,
  IncomingUser,
  StepRecord,
  Usage,
} from "@cm/context-log";
import {
  type AttachmentRef,
  type CallChain,
  type DocumentOf,
  defined,
  type JsonObject,
  limits as modelLimits,
  type StepMessage,
  sealAttachment,
  type Thinking,
} from "@cm/object-model";
import { limits } from "../limits.ts";
import { checkLimit } from "./check-input.ts";

/** Replaces secrets before anything is stored (SSOT 5.10) and says how many. Handed in by the app; default: none. */
export type Redactor = (text: string) => { readonly text: string; readonly count: number };

/**
 * Makes text from outside storable: lone surrogates become U+FFFD, since neither UTF-8 nor canonical JSON carries
 * them, and the redactor has its say. Counts what was redacted, for the step's record.
 */
export class TextCleaner {
  readonly #redact: Redactor | undefined;
  #redactions = 0;

  constructor(redact?: Redactor) {
    this.#redact = redact;
  }

  get redactions(): number {
    return this.#redactions;
  }

  text(raw: string): string {
    const wellFormed = raw.toWellFormed();
    if (this.#redact === undefined) return wellFormed;
    const { text, count } = this.#redact(wellFormed);
    this.#redactions += count;
    return text.toWellFormed();
  }

  /**
   * Arguments of a call, every string and every key in them. They are a model's: what no document holds is kept as text,
   * the JSON of what is nested too deeply, and the name of a number that is not finite, such as what `1e400` is read as.
   */
  args(args: JsonObject): JsonObject {
    return this.#value(args, 0) as JsonObject;
  }

  #value(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value !== "object" || value === null) return finite(value);
    if (depth > limits.argsDepthMax) return this.#json(value);
    if (Array.isArray(value)) return value.map((element) => this.#value(element, depth + 1));
    // fromEntries defines members, so that a key named __proto__ stays a plain member.
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        this.text(key),
        typeof member === "string" ? this.#named(key, member) : this.#value(member, depth + 1),
      ]),
    );
  }

  #json(value: object): string {
    try {
      const clean = (key: string, member: unknown): unknown =>
        typeof member === "string" ? this.#named(key, member) : finite(member);
      return this.text(JSON.stringify(value, clean));
    } catch {
      return "[nested too deeply to be kept]";
    }
  }

  /** Some secrets are known by their name only: such a one is shown to the redactor as a line that has both. */
  #named(key: string, member: string): string {
    const alone = this.text(member);
    const prefix = `${key.toWellFormed()}: `;
    if (this.#redact === undefined || alone !== member || prefix.length + alone.length > limits.namedCharsMax)
      return alone;
    const line = this.#redact(`${prefix}${alone}`);
    if (line.count === 0 || !line.text.startsWith(prefix)) return alone;
    this.#redactions += line.count;
    return line.text.slice(prefix.length).toWellFormed();
  }
}

const finite = (value: unknown): unknown =>
  typeof value === "number" && !Number.isFinite(value) ? String(value) : value;

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
  readonly idChain: CallChain | undefined;
}

/** An answer whose texts were cleaned. */
export interface CleanAnswer {
  readonly text: string;
  readonly thinking: readonly Thinking[];
  readonly calls: readonly { readonly callId: string; readonly tool: string; readonly args: JsonObject }[];
  readonly model: string | undefined;
  readonly provider: string | undefined;
  readonly api: string | undefined;
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
    idChain: result.idChain && chainOf(result.idChain),
  };
}

const chainOf = ({ workspace_id, session_id, task_id, step_id }: CallChain): CallChain => ({
  ...{ workspace_id, session_id, task_id, step_id },
});

function cleanAnswer(answer: IncomingAssistant, cleaner: TextCleaner): CleanAnswer {
  checkLimit("callsMax", answer.calls?.length ?? 0);
  return {
    text: cleaner.text(answer.text),
    thinking: (answer.thinking ?? []).map((part) => cleanThinking(part, cleaner)),
    calls: (answer.calls ?? []).map(({ callId, tool, args }) => ({
      callId: callId.toWellFormed(),
      tool: name(tool),
      args: cleaner.args(args),
    })),
    model: named(answer.model),
    provider: named(answer.provider),
    api: named(answer.api),
    stopReason: named(answer.stopReason),
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

const named = (raw: string | undefined): string | undefined => (raw === undefined ? undefined : name(raw));

function name(raw: string): string {
  return raw.slice(0, modelLimits.nameCharsMax).toWellFormed();
}

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

/** What others made of messages, cleaned like every text that is stored. @throws CmError `session/invalid-input` */
export function cleanAmendments(
  amendments: readonly Amendment[],
  redact: Redactor | undefined,
): { readonly clean: readonly Amendment[]; readonly redactions: number } {
  checkLimit("amendmentsMax", amendments.length);
  const cleaner = new TextCleaner(redact);
  const clean = amendments.map(({ at, text, args }): Amendment => {
    const calls = Object.entries(args ?? {}).map(([call, own]) => [call, cleaner.args(own)]);
    return {
      at,
      ...defined({ text: text === undefined ? undefined : cleaner.text(text) }),
      ...(calls.length === 0 ? {} : { args: Object.fromEntries(calls) }),
    };
  });
  return { clean, redactions: cleaner.redactions };
}

/**
 * The text of a result as it is stored: whole where an object can hold it, else its two ends and between them a line that
 * says what was not kept. What cannot be kept is not looked at, so that the time is bounded; a little more than what
 * stays is cleaned, so that a secret at the cut is found whole.
 */
function cleanOutput(raw: string, cleaner: TextCleaner): string {
  if (!passes(raw, limits.outputBytesMax)) {
    const text = cleaner.text(raw);
    // Redaction may have made it longer.
    return passes(text, modelLimits.contentBytesMax) ? endsOf(text, text, text.length) : text;
  }
  const { outputEndChars, outputMarginChars } = limits;
  const looked = outputEndChars + outputMarginChars;
  const first = cleaner.text(raw.slice(0, looked)).slice(0, -outputMarginChars);
  const last = cleaner.text(raw.slice(-looked)).slice(outputMarginChars);
  return endsOf(first, last, raw.length);
}

function endsOf(first: string, last: string, chars: number): string {
  const head = first.slice(0, limits.outputEndChars);
  const tail = last.slice(-limits.outputEndChars);
  const whole = head.slice(0, lineEnd(head));
  const rest = tail.slice(lineStart(tail));
  const said = `[Context Manager: this output had ${figure(chars)} characters; its first ${figure(whole.length)} and its last ${figure(rest.length)} were kept, what stood here was not.]`;
  return `${whole}\n${said}\n${rest}`.toWellFormed();
}

/** Where the last whole line ends, if one does nearby. */
function lineEnd(text: string): number {
  const end = text.lastIndexOf("\n");
  return end < text.length - limits.outputMarginChars ? text.length : end;
}

/** Where the first whole line starts, if one does nearby. */
function lineStart(text: string): number {
  const end = text.indexOf("\n");
  return end < 0 || end >= limits.outputMarginChars ? 0 : end + 1;
}

/** Without counting where the answer is known: a character has one to three bytes. */
function passes(text: string, bytesMax: number): boolean {
  return text.length > bytesMax || (text.length * 3 > bytesMax && Buffer.byteLength(text) > bytesMax);
}

const figure = (count: number): string => count.toLocaleString("en-US");
