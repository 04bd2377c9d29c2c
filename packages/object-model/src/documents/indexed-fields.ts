import { defined } from "../defined.ts";
import { sessionOfReference } from "../ids.ts";
import type { ObjectDocument } from "./document.ts";
import { locationOf, type SourceLocation } from "./source-binding.ts";

/** What `find` filters by, derived in one place so that all stores agree. */
export interface IndexedFields {
  readonly type: string;
  readonly session?: string;
  readonly tool?: string;
  readonly location?: SourceLocation;
}

export function indexedFieldsOf(document: ObjectDocument): IndexedFields {
  const session = sessionOf(document);
  return {
    type: document.type,
    ...defined({ session }),
    ...(typeof document.tool === "string" ? { tool: document.tool } : {}),
    ...(document.source === null ? {} : { location: locationOf(document.source) }),
  };
}

/** The session an unsourced object belongs to. Files belong to none: they are shared (SSOT 3.7). */
function sessionOf(document: ObjectDocument): string | undefined {
  if (document.type === "session") return sessionOfReference(document["xt/id"]);
  const reference = document.session_ref ?? document.chat_ref;
  return typeof reference === "string" ? sessionOfReference(reference) : undefined;
}
