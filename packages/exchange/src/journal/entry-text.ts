import { erasedMark } from "@cm/context-log/state";
import type { RawObject } from "@cm/journal";
import {
  type EntryTextReference,
  entryTextReference,
  erasedTextReference,
  isEntryName,
  mapEntryTexts,
} from "@cm/object-model";
import type { Redactor } from "@cm/session";
import { limits } from "../limits.ts";
import { type GoneTexts, markFor, type ReadDocument } from "./gone-texts.ts";
import { type KnownTexts, referredText } from "./text-references.ts";

/**
 * An entry of a file as the store keeps it: JSON in which a text that a step has is `@` and a reference, and a text that
 * begins with `@` has one more. Nothing else differs, so that unknown fields and kinds come back as they were. What the
 * redactor takes out of a session it takes out here, too.
 */
export class EntryWriter {
  /** Secrets that were replaced so far. */
  redactions = 0;
  readonly #redact: Redactor | undefined;

  constructor(redact: Redactor | undefined) {
    this.#redact = redact;
  }

  write(entry: RawObject, known: KnownTexts): unknown {
    return this.#value(entry, { known, key: "", isOpaque: false });
  }

  #value(value: unknown, place: Place): unknown {
    if (typeof value === "string") return this.#text(value, place);
    if (Array.isArray(value)) return value.map((element) => this.#value(element, { ...place, key: "" }));
    if (typeof value !== "object" || value === null) return value;
    const isOpaque = isOpaquePart(value as RawObject);
    // fromEntries defines members, so that a key named __proto__ stays a plain member.
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        this.#clean(key),
        this.#value(member, { known: place.known, key, isOpaque }),
      ]),
    );
  }

  #text(text: string, { known, key, isOpaque }: Place): string {
    const as = known.find(text);
    if (as !== undefined) return referring(as);
    if (isEntryName(key, text) || (isOpaque && opaqueKeys.has(key))) return literal(text);
    const clean = this.#clean(text);
    const found = clean === text ? undefined : known.find(clean);
    return found === undefined ? literal(clean === text ? this.#named(key, text) : clean) : referring(found);
  }

  #clean(text: string): string {
    if (this.#redact === undefined) return text;
    const { text: clean, count } = this.#redact(text.toWellFormed());
    this.redactions += count;
    return count === 0 ? text : clean;
  }

  /** Some secrets are known by their name only. */
  #named(key: string, text: string): string {
    const prefix = `${key.toWellFormed()}: `;
    if (this.#redact === undefined || key === "" || prefix.length + text.length > limits.namedCharsMax) return text;
    const line = this.#redact(`${prefix}${text.toWellFormed()}`);
    if (line.count === 0 || !line.text.startsWith(prefix)) return text;
    this.redactions += line.count;
    return line.text.slice(prefix.length);
  }
}

interface Place {
  readonly known: KnownTexts;
  readonly key: string;
  readonly isOpaque: boolean;
}

const opaqueKeys: ReadonlySet<string> = new Set([
  "thinking",
  "thinkingSignature",
  "textSignature",
  "thoughtSignature",
  "data",
]);

/** Signed or encrypted reasoning and the bytes of images stay to the letter, as in a session. */
function isOpaquePart({ type, thinkingSignature, textSignature, thoughtSignature, redacted }: RawObject): boolean {
  const isSigned = [thinkingSignature, textSignature, thoughtSignature].some((sign) => typeof sign === "string");
  return type === "image" || isSigned || (type === "thinking" && redacted === true);
}

const referring = (reference: EntryTextReference): string => `@${JSON.stringify(reference)}`;
const literal = (text: string): string => (text.startsWith("@") ? `@${text}` : text);

/** The ids that a written entry refers to. */
export function referredIds(written: unknown, ids: Set<string> = new Set()): Set<string> {
  if (typeof written === "string") {
    const reference = entryTextReference(written);
    if (reference !== undefined) ids.add(reference[0]);
  } else if (typeof written === "object" && written !== null) {
    for (const member of Object.values(written)) referredIds(member, ids);
  }
  return ids;
}

/** An entry as it stood in its file, with the texts of the store. Where one was erased, longer ones beside it are left out, too. */
export function readEntry(
  written: unknown,
  documents: ReadonlyMap<string, ReadDocument>,
  gone: GoneTexts = { erased: 0, missing: 0 },
): RawObject {
  const erasedBefore = gone.erased;
  const value = mapEntryTexts(written, (text) => {
    const reference = entryTextReference(text);
    if (reference === undefined && text !== erasedTextReference) return text.startsWith("@") ? text.slice(1) : text;
    const document = reference === undefined ? undefined : documents.get(reference[0]);
    const isThere = reference !== undefined && document !== undefined && document !== "missing";
    return (isThere ? referredText(reference, document) : undefined) ?? markFor(document, gone);
  });
  const isWhole = gone.erased === erasedBefore;
  const entry = isWhole ? value : mapEntryTexts(value, (text, key) => (isResidue(text, key) ? erasedMark : text));
  return entry as RawObject;
}

const isResidue = (text: string, key: string): boolean =>
  text.length >= limits.erasedCharsMin && !isEntryName(key, text);
