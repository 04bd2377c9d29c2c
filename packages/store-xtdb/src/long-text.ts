import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { limits, sha256 } from "@cm/object-model";
import { put, type StoredDocument, type XtdbDocument } from "@cm/xtdb-client";
import { firstValidTime, storeLimits } from "./limits.ts";
import type { Names } from "./names.ts";
import { freshRandom } from "./version-token.ts";

/** Whether a text is kept beside the object's document, once for all versions that have it. */
export function isLong(content: string): boolean {
  return content.length > storeLimits.inlineCharsMax;
}

/**
 * The document of a long text. `cm/put` is fresh each time: were the same document written again after an erasure, the
 * erasure would take it, too, whenever XTDB builds its index anew from the log.
 */
export function putText(names: Names, digest: string, content: string) {
  const base = { "xt/id": names.text(digest), "cm/put": freshRandom() };
  const document: XtdbDocument =
    content.length > storeLimits.plainCharsMax
      ? { ...base, "cm/zstd": zstdCompressSync(content) }
      : { ...base, content };
  return put(document, firstValidTime);
}

/** The text of such a document, `undefined` where it is not the one that was stored. */
export function textOf(document: StoredDocument, digest: string): string | undefined {
  const content = plainText(document);
  return content !== undefined && sha256(content) === digest ? content : undefined;
}

function plainText({ content, "cm/zstd": packed }: StoredDocument): string | undefined {
  if (typeof content === "string") return content;
  if (typeof packed !== "string" && !(packed instanceof Uint8Array)) return undefined;
  try {
    const options = { maxOutputLength: limits.contentBytesMax };
    return zstdDecompressSync(typeof packed === "string" ? Buffer.from(packed, "base64") : packed, options).toString(
      "utf8",
    );
  } catch {
    return undefined;
  }
}
