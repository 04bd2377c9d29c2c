import { everyDocument, isDocumentOf, type ObjectStore } from "@cm/object-model";

/** Tool calls of any session that named one of these files or showed a part of it: their output may quote it. */
export async function callsOn(store: ObjectStore, files: ReadonlySet<string>): Promise<readonly string[]> {
  const calls: string[] = [];
  const every = everyDocument((page) => store.find({ type: "toolcall" }, page));
  for await (const { id, document } of every) {
    if (document === undefined || !isDocumentOf(document, "toolcall")) continue;
    const named = [...(document.file_refs ?? []), ...(document.spans ?? []).map(({ file }) => file)];
    if (named.some((file) => files.has(file))) calls.push(id);
  }
  return calls;
}
