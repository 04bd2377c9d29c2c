import {
  attachmentBytes,
  type DocumentTypes,
  isCmError,
  isDocumentOf,
  type ListedVersion,
  type ObjectDocument,
  parseDocument,
} from "@cm/object-model";
import type { Finding } from "./finding.ts";

/** A version's document where it is what its hashes say, else what is wrong. Erased versions have neither. */
export interface CheckedVersion {
  readonly document?: ObjectDocument;
  readonly finding?: Finding;
}

/** Computes everything about one version again. Pure. */
export function checkVersion({ document: stored, ...stamp }: ListedVersion, types: DocumentTypes): CheckedVersion {
  const { id, type, contentHash, erased } = stamp;
  if (erased !== undefined) return {};
  if (stored === undefined) return { finding: { id, type, problem: "unreadable", detail: "the document is missing" } };
  try {
    const document = parseDocument(stored, types);
    const wrong = [
      ...(document["xt/id"] === id ? [] : ["id"]),
      ...(document.type === type ? [] : ["type"]),
      ...(document.content_hash === contentHash ? [] : ["content hash"]),
    ];
    if (wrong.length > 0) {
      return { finding: { id, type, problem: "stamp", detail: `the store's ${wrong.join(" and ")} is another one` } };
    }
    if (isDocumentOf(document, "attachment")) attachmentBytes(document);
    return { document };
  } catch (error) {
    if (!isCmError(error)) throw error;
    if (error.code === "store/corrupt") {
      return { finding: { id, type, problem: "attachment", detail: "the bytes do not have the hash in the id" } };
    }
    const fields = Array.isArray(error.data.fields) ? ` (${error.data.fields.join(", ")})` : "";
    return { finding: { id, type, problem: "invalid", detail: `${error.code}${fields}` } };
  }
}
