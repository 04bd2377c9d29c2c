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
      (text === undefined || (document.content?.toLowerCase().includes(text) ?? false))
    );
  };
}
