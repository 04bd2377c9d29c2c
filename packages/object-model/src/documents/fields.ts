import * as z from "zod/mini";
import { limits } from "../limits.ts";

/** Building blocks of the document schemas. */
export const sha256Field = z.string().check(z.regex(/^[0-9a-f]{64}$/));
/** State of a source as that tells it, opaque outside of it: a SHA-256, a blob id, an ETag. */
export const sourceHashField = z.string().check(z.minLength(1), z.maxLength(limits.nameCharsMax));
export const idField = z.string().check(z.minLength(1), z.maxLength(limits.idCharsMax));
export const nameField = z.string().check(z.maxLength(limits.nameCharsMax));
export const countField = z.int().check(z.gte(0));
export const textField = z.string();

/**
 * A JSON object handed through by reference: canonical JSON checks every value in it when the document is sealed, and
 * a copy made member by member would lose a key named `__proto__`.
 */
export const jsonObjectField = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "expected a JSON object",
);

/** Bytes kept beside a text (SSOT 2.6): an image, say. The bytes themselves are the object `attachment:{sha256}`. */
export const attachmentField = z.strictObject({ sha256: sha256Field, mime: nameField, bytes: countField });
export type AttachmentRef = Readonly<z.infer<typeof attachmentField>>;

export const stepAddressField = z.strictObject({
  session: z.string().check(z.minLength(1), z.maxLength(limits.sessionIdCharsMax)),
  n: countField,
});
