import {
  type CoreType,
  type Identity,
  type ObjectDocument,
  type PayloadOf,
  payloadOf,
  sealDocument,
} from "@cm/object-model";
import { bodyOf, closed, firstSum, sumOf } from "../../src/format/line-text.ts";
import type { BundleLine, Unsummed } from "../../src/format/lines.ts";

/** A line of a bundle as data, open for every change: an attacker's view. */
export type AnyLine = Record<string, unknown> & { kind?: string; document?: AnyDocument };
export type AnyDocument = Record<string, unknown>;

export function linesIn(bytes: Uint8Array): AnyLine[] {
  const text = Buffer.from(bytes).toString();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Lines as a bundle whose sums are right, whatever else is wrong. Text stands for a body that is written as it is. */
export function summed(lines: readonly (AnyLine | string)[]): Buffer {
  let sum = firstSum;
  const texts = lines.map((line) => {
    const body = typeof line === "string" ? line : bodyFor(line);
    sum = sumOf(sum, body);
    return `${closed(body, sum)}\n`;
  });
  return Buffer.from(texts.join(""));
}

function bodyFor({ sum: _sum, ...line }: AnyLine): string {
  // The check of the fields is what is being tested.
  return bodyOf(line as Unsummed<BundleLine>);
}

/** As `summed`, with a trailer that counts what is there. */
export function counted(lines: readonly AnyLine[]): Buffer {
  const before = lines.slice(0, -1);
  const counts: Record<string, number> = {};
  for (const name of Object.keys(lines.at(-1)?.counts as object)) counts[name] = 0;
  for (const { kind, document } of before) {
    if (kind === "erased") counts.erased = (counts.erased ?? 0) + 1;
    if (kind === "version") counts[`${document?.type}`] = (counts[`${document?.type}`] ?? 0) + 1;
  }
  const header = { ...before[0], steps: counts.step ?? 0 };
  const bytes = summed([header, ...before.slice(1)]).length;
  return summed([header, ...before.slice(1), { ...lines.at(-1), bytes, counts }]);
}

/** A document with other fields and hashes that are right again. */
export function resealed(document: AnyDocument, change: AnyDocument): ObjectDocument {
  const { type, source, "xt/id": id } = { ...document, ...change } as ObjectDocument;
  const identity = (source === null ? { type, id } : { type, source }) as Identity<CoreType>;
  const fields = payloadOf(change as ObjectDocument);
  const payload = { ...payloadOf(document as ObjectDocument), ...fields };
  return sealDocument(identity, payload as PayloadOf<CoreType>);
}
