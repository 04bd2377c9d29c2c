import { defined, type ObjectDocument, type StoredVersion } from "@cm/object-model";
import { contentWhenAsked, deepFreeze, type PackedContent, withLaterContent } from "@cm/object-model/stored-form";
import type { Connection } from "./connection.ts";
import type { Moment } from "./moment.ts";
import { rowsAt } from "./read-query.ts";
import { storedVersion } from "./version-rows.ts";

/** A version whose document has no text yet, and its text as it is stored: plain data, which another thread may get. */
export interface PackedVersion {
  readonly version: StoredVersion;
  readonly text: PackedContent | undefined;
}

/** `versionsAt` for another thread. @throws CmError `store/corrupt` */
export function packedVersionsAt(connection: Connection, ids: readonly string[], moment: Moment): PackedVersion[] {
  const found: PackedVersion[] = [];
  for (const { content_size, content_enc, content_data, ...row } of rowsAt(connection, ids, moment)) {
    const version = storedVersion({ ...row, content_size: null, content_enc: null, content_data: null });
    const { content_digest } = row;
    const text =
      content_data === null ? undefined : { content_size, content_enc, content_data, ...defined({ content_digest }) };
    found.push({ version, text: version.document === undefined ? undefined : text });
  }
  return found;
}

/** The version with its text, unpacked when it is looked at, as `texts: "later"` promises. */
export function unpackedLater({ version, text }: PackedVersion): StoredVersion {
  if (version.document === undefined) return version;
  const document: ObjectDocument & { readonly content: null } = { ...deepFreeze(version.document), content: null };
  const whole = text === undefined ? document : withLaterContent(document, contentWhenAsked(text, version.id));
  return { ...version, document: Object.freeze(whole) };
}
