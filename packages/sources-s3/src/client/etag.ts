import { limits } from "../limits.ts";

const printable = /^[\x21\x23-\x7e]+$/;

/**
 * An ETag as source hash: what stands between the quotes, and nothing is read into it. It is an MD5 for some uploads
 * only; those in parts end in `-N`, encrypted ones are anything. Undefined where a header is none.
 */
export function sourceHashOf(etag: string | undefined): string | undefined {
  const inner = /^"(.*)"$/s.exec(etag ?? "")?.[1] ?? etag?.replace(/^W\/"(.*)"$/s, "W/$1");
  return inner !== undefined && inner.length <= limits.etagCharsMax && printable.test(inner) ? inner : undefined;
}

/** The header that asks whether there is another; undefined for a hash that was never an ETag. */
export function conditionOf(sourceHash: string | undefined): string | undefined {
  if (sourceHash === undefined || sourceHashOf(`"${sourceHash}"`) !== sourceHash) return undefined;
  return sourceHash.startsWith("W/") ? `W/"${sourceHash.slice(2)}"` : `"${sourceHash}"`;
}
