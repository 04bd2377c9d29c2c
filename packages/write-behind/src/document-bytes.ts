import type { ObjectDocument } from "@cm/object-model";

/** About the room that a document takes: the UTF-16 units of its JSON. A text is not looked at, only measured. */
export function documentBytes(document: ObjectDocument | undefined): number {
  if (document === undefined) return 0;
  return JSON.stringify({ ...document, content: null }).length + (document.content?.length ?? 0);
}
