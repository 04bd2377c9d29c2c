import { EdnWriter, instantText } from "./edn/write.ts";
import { XtdbError } from "./errors.ts";
import { clientLimits } from "./limits.ts";
import type { EntityId } from "./operations.ts";
import type { At } from "./options.ts";
import { writeId } from "./transaction-text.ts";

/** Joins `name=value` parts that are there. */
export const parameters = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join("&");

/** `eid=...`, or `eid-edn=...` for ids that are no strings. */
export function idParameter(id: EntityId): string {
  const text = typeof id === "string" ? wellFormed(id) : idText(id);
  const encoded = encodeURIComponent(text);
  if (encoded.length > clientLimits.idUrlBytesMax) {
    throw new XtdbError("xtdb/invalid", "An id is too long for a URL; use pull or histories, or shorter ids.");
  }
  return typeof id === "string" ? `eid=${encoded}` : `eid-edn=${encoded}`;
}

/** An id as EDN; equal texts are equal ids. */
export function idText(id: EntityId): string {
  const writer = new EdnWriter();
  writer.subject = "an id";
  writeId(writer, id);
  return writer.text;
}

/** `valid-time` and `tx-id`. Never a transaction time: JSON answers give it without its milliseconds. */
export function atParameters({ txId, validTime }: At): string | undefined {
  const parts = [];
  if (validTime !== undefined) parts.push(timeParameter("valid-time", validTime));
  if (txId !== undefined) parts.push(`tx-id=${checkTxId(txId)}`);
  return parts.length === 0 ? undefined : parts.join("&");
}

export function timeParameter(name: string, time: Date): string {
  const writer = new EdnWriter();
  writer.subject = name;
  return `${name}=${encodeURIComponent(instantText(time, writer))}`;
}

export function checkTxId(txId: number): number {
  if (Number.isSafeInteger(txId) && txId >= 0) return txId;
  throw new XtdbError("xtdb/invalid", "txId is a whole number from 0.");
}

function wellFormed(id: string): string {
  if (id.isWellFormed()) return id;
  throw new XtdbError("xtdb/invalid", "An id holds a lone surrogate, which XTDB would take for another id.");
}
