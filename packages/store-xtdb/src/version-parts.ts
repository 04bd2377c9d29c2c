import { attachmentIdsOf, type ObjectDocument, sha256 } from "@cm/object-model";
import type { StoredDocument } from "@cm/xtdb-client";
import { storedJson } from "./stored-json.ts";

/**
 * The parts of a version that an erasure needs. They are read without checks, so that damaged versions can be erased as
 * well.
 */
export interface VersionParts {
  /** SHA-256 of its text; none for no text and for the empty one, which is never secret. */
  readonly digest: string | undefined;
  /** The id of the document of its text, where that stands apart. */
  readonly textId: string | undefined;
  readonly attachments: readonly string[];
}

export function versionParts(entity: StoredDocument): VersionParts {
  const { content, "cm/blob": blob } = entity;
  const textId = typeof blob === "string" ? blob : undefined;
  const inline = typeof content === "string" && content !== "" ? sha256(content) : undefined;
  return {
    digest: textId === undefined ? inline : textId.slice(textId.lastIndexOf(":") + 1),
    textId,
    attachments: attachmentsOf(entity),
  };
}

function attachmentsOf({ type, "cm/fields": fields }: StoredDocument): readonly string[] {
  const others = storedJson(fields);
  const document: ObjectDocument = {
    ...(typeof others === "object" ? others : {}),
    "xt/id": "",
    type: String(type),
    source: null,
    identity_hash: "",
    content: null,
    content_hash: "",
  };
  try {
    return attachmentIdsOf(document);
  } catch {
    // Not the fields of its type: it was damaged, and has none that could be found.
    return [];
  }
}
