import { canonicalJson } from "../canonical-json.ts";
import type { ObjectDocument } from "../documents/document.ts";
import { indexedFieldsOf } from "../documents/indexed-fields.ts";
import type { Filter } from "./contract.ts";

/** Whether a document meets a filter: what every store's index must answer. */
export function filterMatcher(filter: Filter): (document: ObjectDocument) => boolean {
  const text = filter.text?.toLowerCase();
  return (document) => {
    const { type, session, tool, location } = indexedFieldsOf(document);
    const { source } = filter;
    return (
      (filter.type === undefined || filter.type === type) &&
      (filter.session === undefined || filter.session === session) &&
      (filter.tool === undefined || filter.tool === tool) &&
      (filter.path === undefined || (location?.path.includes(filter.path) ?? false)) &&
      (source === undefined ||
        (location !== undefined &&
          location.type === source.type &&
          (source.namespace === undefined || location.namespace === source.namespace) &&
          (source.pathPrefix === undefined || location.path.startsWith(source.pathPrefix)))) &&
      (filter.where === undefined || contains(document, filter.where)) &&
      (text === undefined || (document.content?.toLowerCase().includes(text) ?? false))
    );
  };
}

/** The meaning of `where`, which the keys of an index entry stand for. */
export function contains(whole: unknown, part: unknown): boolean {
  if (part === undefined) return true;
  if (Array.isArray(part)) {
    if (!Array.isArray(whole)) return false;
    const elements = new Set(whole.map(canonicalJson));
    return part.every((element) => elements.has(canonicalJson(element)));
  }
  if (typeof part === "object" && part !== null) {
    if (typeof whole !== "object" || whole === null || Array.isArray(whole)) return false;
    return Object.entries(part).every(
      ([name, member]) =>
        member === undefined ||
        (Object.hasOwn(whole, name) && contains((whole as Readonly<Record<string, unknown>>)[name], member)),
    );
  }
  return typeof whole !== "object" || whole === null
    ? whole !== undefined && canonicalJson(whole) === canonicalJson(part)
    : false;
}
