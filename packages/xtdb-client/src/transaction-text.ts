import { codeText } from "./datalog.ts";
import { Keyword, Tagged } from "./edn/values.ts";
import { EdnWriter } from "./edn/write.ts";
import { XtdbError } from "./errors.ts";
import { clientLimits } from "./limits.ts";
import type { EntityId, Operation, XtdbDocument } from "./operations.ts";

export interface TransactionChoices {
  /** Lets transaction functions be stored and called. */
  readonly allowCode?: boolean | undefined;
  /** Asks for this transaction time. Not before the last one nor after the log's clock, else nothing is committed. */
  readonly txTime?: Date | undefined;
}

/** The body of `submit-tx`. */
export function transactionText(operations: readonly Operation[], choices: TransactionChoices = {}): string {
  if (!Array.isArray(operations) || operations.length > clientLimits.operationsMax) {
    throw new XtdbError("xtdb/invalid", `submit takes an array of at most ${clientLimits.operationsMax} operations.`);
  }
  const writer = new EdnWriter();
  writer.raw("{:tx-ops [");
  for (const [place, operation] of operations.entries()) {
    writer.subject = `operation ${place}`;
    writer.raw(place === 0 ? "[" : " [");
    writeOperation(writer, operation, choices.allowCode === true);
    writer.raw("]");
  }
  writer.subject = "the transaction";
  writer.raw("]");
  if (choices.txTime !== undefined) {
    writer.raw(" :xtdb.api/submit-tx-opts {:xtdb.api/tx-time ");
    writer.instant(choices.txTime);
    writer.raw("}");
  }
  writer.raw("}");
  return writer.text;
}

function writeOperation(writer: EdnWriter, operation: Operation, allowCode: boolean): void {
  switch (operation?.kind) {
    case "put":
      writer.raw(":xtdb.api/put ");
      writeDocument(writer, operation.document);
      writePeriod(writer, operation.from, operation.to);
      return;
    case "remove":
      writer.raw(":xtdb.api/delete ");
      writeId(writer, operation.id);
      writePeriod(writer, operation.from, operation.to);
      return;
    case "evict":
      writer.raw(":xtdb.api/evict ");
      writeId(writer, operation.id);
      return;
    case "match":
      writer.raw(":xtdb.api/match ");
      writeId(writer, operation.id);
      writer.raw(" ");
      if (operation.document === null) writer.raw("nil");
      else writeDocument(writer, operation.document);
      writePeriod(writer, operation.at, undefined);
      return;
    case "putFunction":
      mayRunCode(writer, allowCode);
      writer.raw(":xtdb.api/put {:xt/id ");
      writeId(writer, operation.id);
      writer.raw(" :xt/fn ");
      writer.raw(codeText(operation.code));
      // Not on the same line: the code may end in a comment.
      writer.raw("\n}");
      return;
    case "callFunction":
      mayRunCode(writer, allowCode);
      writer.raw(":xtdb.api/fn ");
      writeId(writer, operation.id);
      for (const argument of operation.args) {
        writer.raw(" ");
        writer.value(argument);
      }
      return;
    default:
      writer.refuse("is no operation; use put, remove, evict, match");
  }
}

/** An id as EDN; what is no id is refused. */
export function writeId(writer: EdnWriter, id: EntityId): void {
  checkId(writer, id);
  writer.value(id);
}

function checkId(writer: EdnWriter, id: EntityId): void {
  const valid =
    typeof id === "string" ||
    typeof id === "bigint" ||
    (typeof id === "number" && Number.isSafeInteger(id)) ||
    id instanceof Keyword ||
    (id instanceof Tagged && id.tag === "uuid");
  if (!valid) writer.refuse("is no entity id; use a string, an integer, a keyword or a uuid");
}

function writeDocument(writer: EdnWriter, document: XtdbDocument): void {
  const prototype: unknown =
    typeof document === "object" && document !== null ? Object.getPrototypeOf(document) : undefined;
  if (prototype !== Object.prototype && prototype !== null) writer.refuse("is no document; use a plain object");
  if (!Object.hasOwn(document, "xt/id")) writer.refuse('is a document without "xt/id"');
  writer.map(document, 0, (key) => {
    if (key === "xt/id") checkId(writer, document[key]);
    else if (reserved.test(key))
      writer.refuse("is a document with an attribute that XTDB keeps for itself, such as xt/fn");
  });
}

/** XTDB evaluates `xt/fn` (`crux.db/fn` within) and keeps the rest of these namespaces for its own documents. */
const reserved = /^(?:xt|xtdb|crux)(?:[./]|$)/;

function writePeriod(writer: EdnWriter, from: Date | undefined, to: Date | undefined): void {
  if (from === undefined) {
    if (to !== undefined) writer.refuse("has an end and no start");
    return;
  }
  writer.raw(" ");
  writer.instant(from);
  if (to === undefined) return;
  writer.raw(" ");
  writer.instant(to);
}

function mayRunCode(writer: EdnWriter, allowCode: boolean): void {
  if (!allowCode) writer.refuse("would run code on every node; pass allowCode if that is meant");
}
