import {
  type DocumentOf,
  entryTextReference,
  erasedTextReference,
  isDocumentOf,
  isEntryName,
  mapEntryTexts,
  type ObjectDocument,
  type StepAddress,
  sessionOfReference,
} from "@cm/object-model";
import { limits } from "../../limits.ts";

/** What is erased of one session, in all versions that are still there. */
export interface ErasedOfSession {
  /** Ids of the calls whose objects go. */
  readonly calls: Set<string>;
  /** Numbers of the steps whose answers go. */
  readonly answers: Set<number>;
  /** Texts that persons typed, and the ids of the steps that have them. */
  readonly typed: Set<string>;
  readonly typedIn: Set<string>;
  /** What calls and answers say: it goes, however short, from the entries that are about them. */
  readonly said: Set<string>;
}

export type ErasedBySession = ReadonlyMap<string, ErasedOfSession>;

/** What goes with objects that are erased, and with the texts of steps, by the session that they belong to. */
export function erasedBySession(
  documents: Iterable<ObjectDocument>,
  roles: ReadonlySet<string>,
  steps: ReadonlyMap<string, StepAddress>,
): ErasedBySession {
  const erased = new Map<string, ErasedOfSession>();
  const of = (session: string) => {
    const known = erased.get(session) ?? nothing();
    erased.set(session, known);
    return known;
  };
  for (const document of documents) {
    if (isDocumentOf(document, "toolcall")) {
      const { calls, said } = of(sessionOfReference(document.chat_ref));
      calls.add(document["xt/id"]);
      addTexts([document.content, document.args], said);
    }
    const address = steps.get(document["xt/id"]);
    if (address === undefined || !isDocumentOf(document, "step")) continue;
    const { answers, typed, typedIn, said } = of(address.session);
    if (roles.has("assistant")) answers.add(address.n);
    typedIn.add(document["xt/id"]);
    for (const message of document.messages) {
      if (message.role === "user" && message.text !== "") typed.add(message.text);
      if (message.role === "assistant" && roles.has("assistant")) addTexts(message, said);
    }
  }
  return erased;
}

const nothing = (): ErasedOfSession => ({
  calls: new Set(),
  answers: new Set(),
  typed: new Set(),
  typedIn: new Set(),
  said: new Set(),
});

function addTexts(value: unknown, texts: Set<string>): void {
  mapEntryTexts(value, (text, key) => {
    if (text !== "" && !isEntryName(key, text)) texts.add(text);
    return text;
  });
}

/**
 * A part of a session's file without what its entries say of an erased text and beside it: the text itself, what is
 * contained in it, and every longer text of the same entry. References stay, and lead to nothing. Undefined where the
 * part says nothing of it.
 */
export function withoutErased(content: string, erased: ErasedOfSession): string | undefined {
  let isChanged = false;
  const lines = content.split("\n").map((line) => {
    if (line === "") return line;
    const [entry, step] = JSON.parse(line) as readonly [unknown, number?];
    if (!isBeside(entry, step, erased)) return line;
    const clean = mapEntryTexts(entry, (text, key) => {
      if (entryTextReference(text) !== undefined || text === erasedTextReference || isEntryName(key, text)) return text;
      const isLong = text.length >= limits.besideErasedCharsMin;
      const isSaid = [erased.typed, erased.said].some((texts) => isIn(literal(text), texts, 1));
      return isLong || isSaid ? erasedTextReference : text;
    });
    const written = JSON.stringify(step === undefined ? [clean] : [clean, step]);
    isChanged ||= written !== line;
    return written;
  });
  return isChanged ? lines.join("\n") : undefined;
}

const literal = (text: string): string => (text.startsWith("@") ? text.slice(1) : text);

function isBeside(entry: unknown, step: number | undefined, erased: ErasedOfSession): boolean {
  const { message } = (typeof entry === "object" && entry !== null ? entry : {}) as Partial<DocumentOf<"step">>;
  const { role } = (typeof message === "object" && message !== null ? message : {}) as { role?: unknown };
  if (role === "assistant" && step !== undefined && erased.answers.has(step)) return true;
  // What a model or a tool says has words of what was typed without repeating it.
  const containedMin = role === "assistant" || role === "toolResult" ? Number.POSITIVE_INFINITY : undefined;
  let isFound = false;
  mapEntryTexts(entry, (text, key) => {
    const reference = entryTextReference(text);
    if (reference !== undefined) isFound ||= isErasedReference(reference, role, erased);
    else if (text !== erasedTextReference) {
      isFound ||= namesCall(text, erased.calls);
      isFound ||= !isEntryName(key, text) && isIn(literal(text), erased.typed, containedMin);
    }
    return text;
  });
  return isFound;
}

function isErasedReference([id]: readonly [id: string, ...unknown[]], role: unknown, erased: ErasedOfSession): boolean {
  return erased.calls.has(id) || (erased.typedIn.has(id) && role !== "assistant" && role !== "toolResult");
}

/** A call's object has the id that the provider gave it, or one that begins so. */
function namesCall(text: string, calls: ReadonlySet<string>): boolean {
  if (text === "") return false;
  if (calls.has(text)) return true;
  for (const id of calls) if (id.startsWith(`${text}@`)) return true;
  return false;
}

/** Whether it is one of the texts, or has one in it, or is a piece of one of so many characters. */
function isIn(text: string, texts: ReadonlySet<string>, pieceCharsMin: number = limits.quotedCharsMin): boolean {
  if (text === "") return false;
  if (texts.has(text)) return true;
  for (const said of texts) {
    if (said.length >= limits.quotedCharsMin && text.includes(said)) return true;
    if (text.length >= pieceCharsMin && said.includes(text)) return true;
  }
  return false;
}
