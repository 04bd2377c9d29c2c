import {
  type CheckedCommit,
  type CheckedWrite,
  contentDigestOf,
  type IndexEntry,
  indexedFieldsOf,
  type ObjectDocument,
  sha256,
} from "@cm/object-model";
import { type EncodedContent, encodeContent, encodePayload } from "@cm/object-model/stored-form";
import { toDatabaseText } from "./database-text.ts";
import { storeError } from "./errors.ts";
import { storeLimits } from "./limits.ts";

/** The arrays of `commit_1`, one place for each write, and the bytes that they lead into. */
class Columns {
  readonly ids: string[] = [];
  readonly types: string[] = [];
  readonly expects: (string | null)[] = [];
  readonly sessions: (string | null)[] = [];
  readonly tools: (string | null)[] = [];
  readonly marks: (string | null)[] = [];
  readonly places: (string | null)[] = [];
  readonly placeTypes: (string | null)[] = [];
  readonly namespaces: (string | null)[] = [];
  readonly paths: (string | null)[] = [];
  readonly bindings: (string | null)[] = [];
  readonly at: number[] = [];
  readonly payloadEncs: number[] = [];
  readonly payloadLengths: number[] = [];
  readonly sizes: (number | null)[] = [];
  readonly encs: (number | null)[] = [];
  readonly lengths: (number | null)[] = [];
  readonly fieldWrites: number[] = [];
  readonly fieldKeys: string[] = [];
  readonly fieldNewest: number[] = [];
  readonly #parts: Uint8Array[] = [];
  #bytes = 0;

  add({ document, expect, index }: CheckedWrite): void {
    const { session, tool } = indexedFieldsOf(document);
    this.ids.push(toDatabaseText(document["xt/id"]));
    this.types.push(toDatabaseText(document.type));
    this.expects.push(expect === "any" ? null : toDatabaseText(expect));
    this.sessions.push(orNull(session));
    this.tools.push(orNull(tool));
    this.marks.push(typeof document.source_hash === "string" ? halfOf(sha256(document.source_hash)) : null);
    this.#addPlace(document);
    const payload = encodePayload(document, session);
    // The server counts bytes from 1.
    this.at.push(this.#bytes + 1);
    this.payloadEncs.push(payload.enc);
    this.payloadLengths.push(payload.data.length);
    this.#put(Buffer.from(document.content_hash, "hex"));
    this.#put(payload.data);
    this.#addContent(document);
    if (index !== undefined) this.#addFields(document.type, index);
  }

  values(): readonly unknown[] {
    const { ids, types, expects, sessions, tools, marks, places, placeTypes, namespaces, paths, bindings } = this;
    const { at, payloadEncs, payloadLengths, sizes, encs, lengths } = this;
    const names = [ids, types, expects, sessions, tools, marks, places, placeTypes, namespaces, paths, bindings];
    return [
      ...names,
      at,
      payloadEncs,
      payloadLengths,
      sizes,
      encs,
      lengths,
      Buffer.concat(this.#parts),
      ...this.#fields,
    ];
  }

  get #fields(): readonly unknown[] {
    return [this.fieldWrites, this.fieldKeys, this.fieldNewest];
  }

  #addFields(type: string, { keys, newest }: IndexEntry): void {
    for (const key of [everyObject, ...keys]) {
      // The server counts writes from 1.
      this.fieldWrites.push(this.ids.length);
      this.fieldKeys.push(fieldKey(type, key));
      this.fieldNewest.push(newest);
    }
  }

  #addPlace({ source }: ObjectDocument): void {
    const location = source === null ? undefined : indexedFieldsOf({ source } as ObjectDocument).location;
    const place = location === undefined ? undefined : sha256(JSON.stringify([location.type, location.namespace]));
    this.places.push(place === undefined ? null : halfOf(place));
    this.placeTypes.push(orNull(location?.type));
    this.namespaces.push(orNull(location?.namespace));
    this.paths.push(orNull(location?.path));
    this.bindings.push(location === undefined || location.type === "filesystem" ? null : JSON.stringify(source));
  }

  #addContent(document: ObjectDocument): void {
    const digest = contentDigestOf(document);
    const content: EncodedContent | undefined =
      document.content === null || digest === null ? undefined : encodeContent(document.content);
    this.sizes.push(content?.size ?? null);
    this.encs.push(content?.enc ?? null);
    this.lengths.push(content?.data.length ?? null);
    if (content === undefined || digest === null) return;
    this.#put(Buffer.from(digest, "hex"));
    this.#put(content.data);
  }

  #put(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes <= storeLimits.commitBytesMax) return;
    const bound = storeLimits.commitBytesMax;
    throw storeError("store/limit", "The request passes commitBytesMax; write fewer documents at once.", {
      limit: "commitBytesMax",
      actual: this.#bytes,
      bound,
    });
  }
}

/**
 * The values of `commit_1` from its fourth on: encoded and compressed, so that no lock is held meanwhile.
 * @throws CmError `store/limit`
 */
export function preparedWrites(writes: CheckedCommit["writes"]): readonly unknown[] {
  const columns = new Columns();
  for (const write of writes) columns.add(write);
  return columns.values();
}

/** 128 bits are plenty to tell requests, places and marks apart. A request id that is no text counts by its units. */
export const requestHash = (requestId: string): string => halfOf(sha256(toDatabaseText(requestId)));

/** The key of all objects of a type. */
export const everyObject = "";

/** What `field` has for a key of a type's index entries. */
export const fieldKey = (type: string, key: string): string => halfOf(sha256(JSON.stringify([type, key])));

export const halfOf = (sha256Hex: string): string => sha256Hex.slice(0, 32);

const orNull = (text: string | undefined): string | null => (text === undefined ? null : toDatabaseText(text));
