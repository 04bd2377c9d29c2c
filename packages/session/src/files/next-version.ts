import type { FileTouch } from "@cm/context-log";
import {
  type DocumentOf,
  defined,
  fileTypeOf,
  locationOf,
  type Observation,
  type PayloadOf,
  type SourceBinding,
  sealDocument,
  sealHashedDocument,
} from "@cm/object-model";

/** What the indexing protocol (SSOT 5.6) made of one observation. */
export type IndexOutcome = "created" | "unchanged" | "updated" | "stub" | "deleted" | "unreachable" | "unknown";

export interface NextVersion {
  readonly outcome: IndexOutcome;
  /** What to write; absent where nothing is. */
  readonly document?: DocumentOf<"file">;
}

/**
 * The indexing protocol's decision, pure and the same for every source. Orphaning writes nothing: an unreachable
 * source leaves the version as it is, and a path becomes a stub where it exists, or where a call read or edited it.
 */
export function nextVersion(
  source: SourceBinding,
  stored: DocumentOf<"file"> | undefined,
  observation: Observation,
  { as: touch }: { readonly as: FileTouch["as"] },
): NextVersion {
  switch (observation.kind) {
    case "present":
      return presentVersion(source, stored, observation);
    case "exists":
      if (stored !== undefined) return { outcome: "unchanged" };
      return { outcome: "stub", document: version(source, { content: null, null_reason: "unread" }) };
    case "unchanged":
      return { outcome: stored === undefined ? "unknown" : "unchanged" };
    case "absent":
      if (stored === undefined) return { outcome: "unknown" };
      if (stored.null_reason === "deleted") return { outcome: "unchanged" };
      return { outcome: "deleted", document: version(source, { content: null, null_reason: "deleted" }) };
    case "unreachable":
      if (stored !== undefined) return { outcome: "unreachable" };
      if (touch === "discovered") return { outcome: "unknown" };
      return { outcome: "stub", document: version(source, { content: null, null_reason: "unread" }) };
  }
}

function presentVersion(
  source: SourceBinding,
  stored: DocumentOf<"file"> | undefined,
  { sourceHash, content, from, redactions }: Extract<Observation, { kind: "present" }>,
): NextVersion {
  if (stored?.source_hash === sourceHash) return { outcome: "unchanged" };
  const text = "text" in content ? content.text : null;
  const fields = {
    content: text,
    source_hash: sourceHash,
    ...("withheld" in content ? { null_reason: content.withheld } : {}),
    ...defined({ content_from: from }),
    ...(redactions === undefined || redactions === 0 ? {} : { redactions }),
  };
  const document = version(source, fields, "text" in content ? content.digest : undefined);
  return { outcome: stored === undefined ? "created" : "updated", document };
}

function version(
  source: SourceBinding,
  fields: Omit<PayloadOf<"file">, "file_type" | "char_count">,
  digest?: string,
): DocumentOf<"file"> {
  const identity = { type: "file", source } as const;
  const file_type = fileTypeOf(locationOf(source).path);
  const payload = { ...fields, file_type, char_count: fields.content?.length ?? 0 };
  return digest === undefined ? sealDocument(identity, payload) : sealHashedDocument(identity, payload, digest);
}
