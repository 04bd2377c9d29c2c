import { CmError } from "../errors.ts";
import { sha256 } from "../hashing.ts";
import { attachmentId } from "../ids.ts";
import { limits } from "../limits.ts";
import type { DocumentOf, ObjectDocument } from "./document.ts";
import type { AttachmentRef } from "./fields.ts";
import { sealDocument } from "./seal.ts";

/**
 * The object that keeps an attachment's bytes, and the reference that other documents carry.
 * @throws CmError `model/limit` past `contentBytesMax`, in base64
 */
export function sealAttachment(
  mime: string,
  data: Uint8Array,
): { readonly document: DocumentOf<"attachment">; readonly ref: AttachmentRef } {
  const digest = sha256(data);
  const content = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
  return {
    document: sealDocument({ type: "attachment", id: attachmentId(digest) }, { content, byte_count: data.byteLength }),
    ref: { sha256: digest, mime: mime.toWellFormed().slice(0, limits.nameCharsMax), bytes: data.byteLength },
  };
}

/** @throws CmError `store/corrupt` where the bytes are not those that the id names */
export function attachmentBytes(document: DocumentOf<"attachment">): Uint8Array {
  const bytes = Buffer.from(document.content, "base64");
  if (attachmentId(sha256(bytes)) !== document["xt/id"]) {
    throw new CmError(
      "store/corrupt",
      `The attachment ${document["xt/id"]} does not match its hash; restore it from a copy.`,
    );
  }
  return bytes;
}

/** Ids of the attachment objects that a document refers to: erasing the document takes them along. */
export function attachmentIdsOf(document: ObjectDocument): readonly string[] {
  const messages = document.type === "step" ? (document as DocumentOf<"step">).messages : [];
  const refs = [
    ...(document.type === "toolcall" ? ((document as DocumentOf<"toolcall">).attachments ?? []) : []),
    ...messages.flatMap((message) => (message.role === "user" ? (message.attachments ?? []) : [])),
  ];
  return refs.map((ref) => attachmentId(ref.sha256));
}
