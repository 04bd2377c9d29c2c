import { createHash } from "node:crypto";
import type { GetObjectCommandOutput } from "@aws-sdk/client-s3";

const checksums = ["ChecksumCRC64NVME", "ChecksumCRC32", "ChecksumCRC32C", "ChecksumSHA1", "ChecksumSHA256"] as const;

/**
 * Whether a body that was read to its end is proved to be the whole object. A length proves little: a proxy that cut
 * the body may have changed the length, too. A checksum of the whole object was compared by the SDK while we read; one
 * that ends in `-N` is of its parts and was not. An ETag that equals the MD5 proves it as well; one that differs proves
 * nothing.
 */
export function isProven(answer: GetObjectCommandOutput, bytes: Buffer): boolean {
  const given = checksums.map((name) => answer[name]).filter((checksum) => checksum !== undefined);
  if (given.length > 0 && given.every((checksum) => !/-\d+$/.test(checksum))) return true;
  return answer.ETag !== undefined && answer.ETag.replaceAll('"', "") === md5(bytes);
}

/** Undefined where the system forbids MD5. */
function md5(bytes: Buffer): string | undefined {
  try {
    return createHash("md5").update(bytes).digest("hex");
  } catch {
    return undefined;
  }
}
