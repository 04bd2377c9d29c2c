import { createHash } from "node:crypto";
import { canonicalJson, sha256 } from "@cm/object-model";
import { type BundleLine, bundleFormat, type Unsummed } from "./lines.ts";

/*
 * A line is canonical JSON, so there is one way to write it. Its last member is `sum`: the SHA-256 of the sum of the
 * line before it and of its own text up to there. So a byte that changes is found in its line, and so is a line that
 * is missing, moved or repeated; and the last sum is the digest of all.
 */

/** The sum before the first line. */
export const firstSum = sha256(bundleFormat);

const sumStart = ',"sum":"';
const sumEnd = '"}';
const sumBytes = sumStart.length + firstSum.length + sumEnd.length;

/** The text of a line up to its sum, whose name sorts behind all others. */
export function bodyOf(line: Unsummed<BundleLine>): string {
  if (line.kind !== "version") return canonicalJson(line).slice(0, -1);
  // The document by itself, since its bounds on depth and members are its own.
  const { at, document } = line;
  return `{"at":${canonicalJson(at)},"document":${canonicalJson(document)},"kind":"version"`;
}

export function sumOf(before: string, body: string | Uint8Array): string {
  return createHash("sha256").update(before).update(body).digest("hex");
}

export function closed(body: string, sum: string): string {
  return `${body}${sumStart}${sum}${sumEnd}`;
}

/** A line taken apart again; undefined where no sum ends it. */
export function opened(bytes: Buffer): { readonly body: Buffer; readonly sum: string } | undefined {
  const at = bytes.length - sumBytes;
  if (at < 0) return undefined;
  const end = bytes.toString("latin1", at);
  if (!end.startsWith(sumStart) || !end.endsWith(sumEnd)) return undefined;
  return { body: bytes.subarray(0, at), sum: end.slice(sumStart.length, -sumEnd.length) };
}
