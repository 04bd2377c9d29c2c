import {
  attachmentBytes,
  attachmentIdsOf,
  chatId,
  type DocumentOf,
  isCmError,
  isDocumentOf,
  isSessionId,
  keyframeId,
  type ObjectDocument,
  parseDocument,
  sessionObjectId,
  sessionOfReference,
  standingId,
  stepId,
  systemPromptId,
} from "@cm/object-model";
import { badLine } from "../errors.ts";
import { hasErasedMark } from "../format/erased-marks.ts";
import {
  type CarriedType,
  countVersion,
  type ErasedLine,
  noCounts,
  ranks,
  type TrailerLine,
  type VersionLine,
} from "../format/lines.ts";
import type { CheckedLine } from "../read/checked-lines.ts";
import { checkHeads } from "./heads.ts";
import type { CarriedVersion, Inventory } from "./inventory.ts";
import { JournalParts } from "./journal-parts.ts";
import { OpenReferences } from "./open-references.ts";
import { StepOrder } from "./step-order.ts";

/**
 * Looks at the lines of one bundle, one after the other, and holds ids and hashes only. `finish` gives what it has:
 * then everything was checked.
 */
export class Examination {
  readonly #references = new OpenReferences();
  readonly #order = new StepOrder();
  readonly #journal = new JournalParts();
  readonly #versions: CarriedVersion[] = [];
  readonly #sums: string[] = [];
  readonly #counts = noCounts();
  readonly #erasedCalls: string[] = [];
  readonly #erasedObjects = new Map<string, Set<string>>();
  readonly #replacedSteps: string[] = [];
  /** Keyframes, what stands beside them, and heads that are there or marked, and marked steps. */
  readonly #seen = new Set<string>();
  #bytes = 0;
  #rank = 0;
  #session: string | undefined;
  #head: DocumentOf<"session"> | undefined;
  #chat: DocumentOf<"chat"> | undefined;
  #steps = 0;
  #isComplete = false;

  /** @throws CmError `bundle/...` */
  take({ number, line, byteCount }: CheckedLine): void {
    if (this.#isComplete) throw badLine("bundle/misplaced", number, "it stands behind the trailer");
    if ((line.kind === "header") !== (number === 1))
      throw badLine("bundle/misplaced", number, "the header comes first");
    if (line.kind === "header") {
      if (!isSessionId(line.session)) throw badLine("bundle/invalid-line", number, "its session has no id");
      this.#session = line.session;
      this.#steps = line.steps;
    } else if (line.kind === "version") this.#takeVersion(line, number, byteCount);
    else if (line.kind === "erased") this.#takeErased(line, number);
    else this.#takeTrailer(line, number);
    this.#bytes += byteCount;
    this.#sums.push(line.sum);
  }

  /** @throws CmError `bundle/truncated`, `bundle/missing-reference`, `bundle/foreign`, `bundle/bad-chain` */
  finish(): Inventory {
    const [session, head, chat] = [this.#session, this.#head, this.#chat];
    const line = this.#sums.length;
    if (session === undefined || !this.#isComplete) throw badLine("bundle/truncated", line + 1, "it is missing");
    if (head === undefined || chat === undefined)
      throw badLine("bundle/missing-reference", line, "no heads stand before it");
    this.#references.close();
    this.#journal.close(line);
    checkHeads({ session: head, chat, line: line - 1 }, session, {
      order: this.#order,
      keyframes: this.#seen,
    });
    this.#checkSessions(session);
    const { steps } = this.#order;
    return {
      session,
      versions: this.#versions,
      replacedSteps: this.#replacedSteps,
      erasedCalls: this.#erasedCalls,
      erasedObjects: this.#erasedObjects,
      steps,
      head,
      counts: this.#counts,
      sums: this.#sums,
      bytes: this.#bytes,
    };
  }

  #takeVersion(line: VersionLine, number: number, bytes: number): void {
    const document = parsed(line, number);
    if (!(document.type in ranks)) throw badLine("bundle/foreign", number, "objects of its type stay where they are");
    const type = document.type as CarriedType;
    this.#step(type, number);
    const session = this.#examine(document, number);
    countVersion(this.#counts, type);
    const { "xt/id": id, content_hash: contentHash } = document;
    this.#versions.push({ id, type, contentHash, line: number, bytes, session });
  }

  /** Kinds of objects stand in one order. */
  #step(type: CarriedType, number: number): void {
    if (ranks[type] < this.#rank) throw badLine("bundle/misplaced", number, "objects of its type come earlier");
    this.#rank = ranks[type];
  }

  /** The session an object belongs to; undefined for files and attachments. */
  #examine(document: ObjectDocument, number: number): string | undefined {
    const id = document["xt/id"];
    if (isDocumentOf(document, "toolcall")) {
      this.#references.addObject(id, number);
      this.#references.nameObjects(attachmentIdsOf(document), number);
      return ownerOf(document.chat_ref, chatId, number);
    }
    if (isDocumentOf(document, "attachment")) {
      checkAttachment(document, number);
      this.#references.addObject(id, number);
      return undefined;
    }
    if (isDocumentOf(document, "file")) {
      this.#references.addFile({ file: id, contentHash: document.content_hash }, number);
      return undefined;
    }
    return this.#examineInfrastructure(document, number);
  }

  #examineInfrastructure(document: ObjectDocument, number: number): string {
    const id = document["xt/id"];
    const session = typeof document.session_ref === "string" ? sessionOfReference(document.session_ref) : "";
    if (isDocumentOf(document, "step")) {
      ownerOf(document.session_ref, sessionObjectId, number);
      this.#order.add(document, number);
      this.#references.nameStep(document, number);
      if (document.replaces !== undefined) this.#replacedSteps.push(id);
    } else if (isDocumentOf(document, "system_prompt")) {
      if (id !== systemPromptId(session)) throw otherSession(number);
      this.#order.addPrompt(session);
    } else if (isDocumentOf(document, "keyframe") || isDocumentOf(document, "standing")) {
      const { n, type } = document;
      if (id !== (type === "keyframe" ? keyframeId : standingId)({ session, n })) throw otherSession(number);
      if (!this.#order.steps.has(stepId({ session, n }))) {
        throw badLine("bundle/missing-reference", number, "its step does not stand before it");
      }
      this.#once(id, number);
    } else if (isDocumentOf(document, "journal_part")) this.#journal.addPart(document, this.#own, number);
    else if (isDocumentOf(document, "journal")) this.#journal.add(document, this.#own, number);
    else return this.#examineHead(document, number);
    return session;
  }

  #examineHead(document: ObjectDocument, number: number): string {
    const session = this.#own;
    const id = document["xt/id"];
    if (id !== chatId(session) && id !== sessionObjectId(session)) {
      throw badLine("bundle/foreign", number, "it is the head of another session");
    }
    this.#once(id, number);
    if (isDocumentOf(document, "session")) {
      this.#head = document;
      this.#references.namePending(document, number);
    }
    if (isDocumentOf(document, "chat")) this.#chat = document;
    return session;
  }

  get #own(): string {
    return this.#session ?? "";
  }

  #once(id: string, number: number): void {
    if (this.#seen.has(id)) throw badLine("bundle/duplicate", number, "its object is there already");
    this.#seen.add(id);
  }

  #takeErased(line: ErasedLine, number: number): void {
    const { id, of } = line;
    this.#step(of, number);
    this.#counts.erased += 1;
    if (line.lost !== true) this.#keepErased(line);
    if (of === "toolcall" || of === "attachment" || of === "file") this.#references.addErased(line, number);
    else if (of === "journal_part") this.#journal.addErased(id, this.#own, number);
    else if (of === "system_prompt") this.#order.addPrompt(sessionOfReference(id));
    else {
      this.#once(id, number);
      if (of === "step") this.#order.addErased(id);
    }
  }

  #keepErased({ id, of, content_hash: contentHash }: ErasedLine): void {
    if (of === "toolcall") this.#erasedCalls.push(id);
    if (!hasErasedMark(of)) return;
    const versions = this.#erasedObjects.get(id) ?? new Set();
    this.#erasedObjects.set(id, versions);
    if (contentHash !== undefined) versions.add(contentHash);
  }

  #takeTrailer({ bytes, counts }: TrailerLine, number: number): void {
    const names = Object.keys({ ...counts, ...this.#counts }) as (keyof typeof counts)[];
    const isWrong = names.some((name) => (this.#counts[name] ?? 0) !== (counts[name] ?? 0));
    if (isWrong || bytes !== this.#bytes || this.#counts.step !== this.#steps) {
      throw badLine("bundle/wrong-count", number, "it counts otherwise");
    }
    this.#isComplete = true;
  }

  /** Nothing may be slipped into a session that the bundle is not about: it has steps here, or it is the bundle's own. */
  #checkSessions(own: string): void {
    const { sessions } = this.#order;
    const foreign = this.#versions.find(
      ({ session }) => session !== undefined && session !== own && !sessions.has(session),
    );
    if (foreign !== undefined) throw badLine("bundle/foreign", foreign.line, "its session has no steps here");
  }
}

function parsed({ document }: VersionLine, number: number): ObjectDocument {
  try {
    return parseDocument(document);
  } catch (error) {
    if (!isCmError(error)) throw error;
    // The message of the error may name an id; what it says of fields is enough.
    const fields = Array.isArray(error.data.fields) ? `: ${error.data.fields.join(", ")}` : "";
    const code = error.code === "model/limit" ? "bundle/limit" : "bundle/invalid-document";
    throw badLine(code, number, `its document is wrong (${error.code})${fields}`);
  }
}

function ownerOf(reference: string, idOf: (session: string) => string, number: number): string {
  const session = sessionOfReference(reference);
  if (!isSessionId(session) || reference !== idOf(session)) throw otherSession(number);
  return session;
}

function otherSession(number: number) {
  return badLine("bundle/invalid-document", number, "it does not say which session it belongs to");
}

function checkAttachment(document: DocumentOf<"attachment">, number: number): void {
  try {
    const { length } = attachmentBytes(document);
    if (length === document.byte_count) return;
  } catch (error) {
    if (!isCmError(error)) throw error;
  }
  throw badLine("bundle/invalid-document", number, "its bytes are not those that its id names");
}
