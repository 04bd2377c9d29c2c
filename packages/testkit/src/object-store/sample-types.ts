import { coreDocumentTypes, type DocumentType, type DocumentTypes } from "@cm/object-model";
import * as z from "zod/mini";

/** `note` and `memo` accept the same ids, so that one object can be asked to become the other. */
export const sampleTypes: DocumentTypes = coreDocumentTypes.extend(named("note"), named("memo"), ticket());

function named(type: string): DocumentType {
  const model = coreDocumentTypes.get("system_prompt");
  if (model === undefined) throw new Error("The core types have no system prompt.");
  return { ...model, type, acceptsId: (id) => id.startsWith("paper:") };
}

/** A type that declares what it may be found by. */
function ticket(): DocumentType {
  return {
    type: "ticket",
    role: "infrastructure",
    sourced: false,
    acceptsId: (id) => id.startsWith("ticket:"),
    payload: z.strictObject({
      content: z.nullable(z.string()),
      session_ref: z.optional(z.string()),
      status: z.string(),
      owner: z.optional(z.nullable(z.string())),
      labels: z.optional(z.unknown()),
      opened_at: z.optional(z.unknown()),
      note: z.optional(z.string()),
    }),
    indexed: { fields: ["status", "owner", "labels"], newest: "opened_at" },
  };
}
