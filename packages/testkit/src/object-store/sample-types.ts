import { coreDocumentTypes, type DocumentType, type DocumentTypes } from "@cm/object-model";

/** `note` and `memo` accept the same ids, so that one object can be asked to become the other. */
export const sampleTypes: DocumentTypes = coreDocumentTypes.extend(named("note"), named("memo"));

function named(type: string): DocumentType {
  const model = coreDocumentTypes.get("system_prompt");
  if (model === undefined) throw new Error("The core types have no system prompt.");
  return { ...model, type, acceptsId: (id) => id.startsWith("paper:") };
}
