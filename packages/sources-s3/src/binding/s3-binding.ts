import { CmError, locationOf, parseSourceBinding, type S3Binding } from "@cm/object-model";
import { limits } from "../limits.ts";
import { isBucketName } from "./bucket-name.ts";
import { normalEndpoint } from "./endpoint.ts";

/** One object in a bucket. Without an endpoint it lies at AWS. */
export interface S3Place {
  readonly bucket: string;
  readonly key: string;
  /** An origin such as `https://minio.example:9000`. */
  readonly endpoint?: string;
}

/**
 * A checked binding in its one normal form, so that one object gives one binding (SSOT 2.3). A key is kept to the
 * letter: S3 knows no folders, and `a//b`, `./a` and `a` are three objects.
 * @throws CmError `model/invalid-source` naming the fields that are wrong, never their values
 */
export function parseS3Binding(value: unknown): S3Binding {
  const binding = parseSourceBinding(value);
  if (!isS3(binding)) throw wrong(["type"]);
  const { bucket, key, endpoint } = binding;
  const normal = endpoint === undefined ? "aws" : normalEndpoint(endpoint);
  const fields = [
    ...(isBucketName(bucket) ? [] : ["bucket"]),
    ...(isKey(key) ? [] : ["key"]),
    ...(normal === undefined ? ["endpoint"] : []),
  ];
  if (normal === undefined || fields.length > 0) throw wrong(fields);
  return { type: "s3", bucket, key, ...(normal === "aws" ? {} : { endpoint: normal.origin }) };
}

/**
 * The binding of a place, in parts or as `s3://BUCKET/KEY`. What follows the bucket's slash is the key to the letter:
 * nothing in it is decoded.
 * @throws CmError `model/invalid-source`
 */
export function bindS3(place: string | S3Place): S3Binding {
  if (typeof place !== "string") return parseS3Binding({ ...place, type: "s3" });
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/s.exec(place) ?? [];
  if (bucket === undefined || key === undefined) throw wrong(["(the text)"]);
  return parseS3Binding({ type: "s3", bucket, key });
}

/** The location of a binding, and its display (SSOT 5.3). */
export function describeS3(binding: S3Binding): {
  readonly namespace: string;
  readonly path: string;
  readonly display: string;
} {
  const { namespace, path } = locationOf(binding);
  return { namespace, path, display: `s3://${binding.bucket}/${binding.key}` };
}

function isS3(binding: { readonly type: string }): binding is S3Binding {
  return binding.type === "s3";
}

function isKey(key: string): boolean {
  return key !== "" && key.isWellFormed() && Buffer.byteLength(key) <= limits.keyBytesMax;
}

function wrong(fields: readonly string[]): CmError {
  const message = `The S3 binding is wrong in: ${fields.join(", ")}. It needs a bucket, a key and at most the origin of an endpoint.`;
  return new CmError("model/invalid-source", message, { fields });
}
