import { type ObjectDocument, type ObjectStore, sealDocument } from "@cm/object-model";

export function file(path: string, content: string): ObjectDocument {
  return sealDocument(
    { type: "file", source: { type: "filesystem", filesystemId: "fs", path } },
    { content, file_type: "", char_count: content.length },
  );
}

export function toolcall(id: string, content: string): ObjectDocument {
  return sealDocument({ type: "toolcall", id }, { content, tool: "bash", args: {}, status: "ok", chat_ref: "chat:s1" });
}

export function prompt(content: string, session = "s1"): ObjectDocument {
  return sealDocument(
    { type: "system_prompt", id: `system_prompt:${session}` },
    { content, session_ref: `session:${session}` },
  );
}

export const idOf = (document: ObjectDocument): string => document["xt/id"];

export async function textIn(store: ObjectStore, document: ObjectDocument): Promise<string | null | undefined> {
  return (await store.getMany([idOf(document)])).get(idOf(document))?.document?.content;
}

/** The texts of all versions, oldest first. */
export async function textsIn(store: ObjectStore, document: ObjectDocument): Promise<readonly unknown[]> {
  const { versions } = await store.history(idOf(document), { documents: true });
  return versions.map((version) => version.document?.content).reverse();
}
