import type { FileEntry } from "../format/session-entry.ts";
import { isRawObject } from "../json-lines.ts";
import { type BlobStore, isBlobRef, parseBlobRef } from "../write/blob-store.ts";

type Loose = Record<string, unknown>;

/**
 * Puts the bytes back wherever a reference can have been put in their place, in place: images of lists called `content`,
 * and data URLs under `image_url`. A reference whose blob is missing stays.
 * @returns hashes of the blobs that are missing
 */
export async function resolveBlobs(entries: readonly FileEntry[], blobs: BlobStore): Promise<string[]> {
  const missing = new Set<string>();
  for (const entry of entries) {
    if (entry.type === "session") continue;
    for (const { holder, name, encoding } of referencesIn(entry, "")) {
      const hash = parseBlobRef(String(holder[name]));
      if (hash === null) continue;
      const bytes = await blobs.get(hash);
      if (bytes === null) missing.add(hash);
      else holder[name] = bytes.toString(encoding);
    }
  }
  return [...missing];
}

interface Reference {
  readonly holder: Loose;
  readonly name: string;
  readonly encoding: "base64" | "utf8";
}

/** @param key what the value stands under; a list in a list stands under the same */
function referencesIn(value: unknown, key: string): Reference[] {
  if (Array.isArray(value)) {
    const images = key === "content" ? value.filter(isReferredImage) : [];
    return [
      ...images.map((holder) => ({ holder, name: "data", encoding: "base64" }) as const),
      ...value.flatMap((item) => referencesIn(item, key)),
    ];
  }
  if (!isRawObject(value)) return [];
  const inside = Object.entries(value).flatMap(([name, child]) =>
    typeof child === "object" ? referencesIn(child, name) : [],
  );
  const isUrl = typeof value.image_url === "string" && isBlobRef(value.image_url);
  return isUrl ? [{ holder: value as Loose, name: "image_url", encoding: "utf8" }, ...inside] : inside;
}

function isReferredImage(part: unknown): part is Loose {
  return isRawObject(part) && part.type === "image" && typeof part.data === "string" && isBlobRef(part.data);
}
