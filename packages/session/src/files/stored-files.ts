import { type DocumentOf, isDocumentOf, type ObjectStore, type VersionToken } from "@cm/object-model";

/** What the store has of a file, and its newest write. */
export interface StoredFile {
  readonly stored: DocumentOf<"file"> | undefined;
  readonly token: VersionToken | undefined;
}

export async function readStoredFiles(store: ObjectStore, ids: readonly string[]): Promise<(id: string) => StoredFile> {
  const versions = await store.getMany(ids);
  return (id) => {
    const version = versions.get(id);
    const document = version?.document;
    const isFile = document !== undefined && isDocumentOf(document, "file");
    return { stored: isFile ? document : undefined, token: version?.token };
  };
}
