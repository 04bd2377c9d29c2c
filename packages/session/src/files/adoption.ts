import type { DocumentOf } from "@cm/object-model";
import type { FileWatch } from "./file-watch.ts";
import { type Discovery, discoverable } from "./foreign-files.ts";
import type { IndexedFile } from "./touches.ts";

/** A file of others, in the version that comes into sight. */
export type AdoptableFile = IndexedFile & { readonly document: DocumentOf<"file"> };

/**
 * Looks at a file that another session stored: what its source has now, or, if the source cannot be observed, the version that is
 * stored. Undefined where the session must not know whether there is such a file.
 */
export async function lookToAdopt(
  { discovery, watch }: { readonly discovery: Discovery; readonly watch: FileWatch },
  id: string,
): Promise<AdoptableFile | undefined> {
  const stored = await discoverable(discovery, id);
  if (stored === undefined) return undefined;
  const looked = (await watch.read(id)).find((file) => file.id === id);
  const { document = stored } = looked ?? {};
  const unseen = { id, outcome: "unreachable", write: undefined, display: undefined } as const;
  return { ...(looked ?? unseen), document };
}
