import type { FileEntry } from "../format/session-entry.ts";
import { isRawObject } from "../json-lines.ts";
import { type BlobStore, isBlobRef, parseBlobRef } from "../write/blob-store.ts";

type Loose = Record<string, unknown>;

/**
 * Puts the bytes back where references stand, in place: images of messages, and data URLs under `image_url`. A reference
 * whose blob is missing stays.
 * @returns hashes of the blobs that are missing
 */
export async function resolveBlobs(entries: readonly FileEntry[], blobs: BlobStore): Promise<string[]> {
  const missing = new Set<string>();
  const fill = async (holder: Loose, name: string, encoding: "base64" | "utf8"): Promise<void> => {
    const hash = parseBlobRef(String(holder[name]));
    if (hash === null) return;
    const bytes = await blobs.get(hash);
    if (bytes === null) missing.add(hash);
    else holder[name] = bytes.toString(encoding);
  };
  for (const entry of entries) {
    if (entry.type === "session") continue;
    for (const image of imagesOf(entry as unknown as Loose)) await fill(image, "data", "base64");
    for (const holder of urlHoldersIn(entry)) await fill(holder, "image_url", "utf8");
  }
  return [...missing];
}

function imagesOf(entry: Loose): Loose[] {
  const holder = entry.type === "message" ? entry.message : entry.type === "custom_message" ? entry : undefined;
  if (!isRawObject(holder) || !Array.isArray(holder.content)) return [];
  return holder.content.filter(
    (part): part is Loose =>
      isRawObject(part) && part.type === "image" && typeof part.data === "string" && isBlobRef(part.data),
  );
}

function urlHoldersIn(value: unknown): Loose[] {
  if (Array.isArray(value)) return value.flatMap(urlHoldersIn);
  if (!isRawObject(value)) return [];
  const inside = Object.values(value).flatMap((child) => (typeof child === "object" ? urlHoldersIn(child) : []));
  return typeof value.image_url === "string" && isBlobRef(value.image_url) ? [value as Loose, ...inside] : inside;
}
