import { limits } from "../limits.ts";

const shape = /^[a-z0-9][a-z0-9.-]*[a-z0-9]$/;
const address = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** Names with a meaning of their own: aliases of access points and buckets of other kinds, on hosts of their own. */
const reservedStart = /^(?:xn--|sthree-|amzn-s3-demo-)/;
const reservedEnd = /(?:-s3alias|--ol-s3|\.mrap|--x-s3|--table-s3)$/;

/**
 * The rules for general purpose buckets. They also keep ARNs out, for which the client would leave the endpoint that
 * was configured.
 */
export function isBucketName(name: string): boolean {
  if (name.length < limits.bucketCharsMin || name.length > limits.bucketCharsMax) return false;
  if (!shape.test(name) || name.includes("..") || address.test(name)) return false;
  return !reservedStart.test(name) && !reservedEnd.test(name);
}
