import { defined } from "@cm/object-model";
import type { S3Reason } from "./reason.ts";

/** The meaning of a client's error. `again`: the same request may succeed a moment later. */
export type Failure =
  | { readonly kind: "not-modified"; readonly etag?: string }
  /** `certain`: the server said itself that the key, and not the bucket, is missing. */
  | { readonly kind: "missing"; readonly certain: boolean }
  | { readonly kind: "failed"; readonly reason: S3Reason; readonly again: boolean };

const failed = (reason: S3Reason, again = false): Failure => ({ kind: "failed", reason, again });

/** By the code that the server gave. Codes are the same on all servers; status numbers are not. */
const byCode: ReadonlyMap<string, Failure> = new Map([
  ["NoSuchBucket", failed("bucket missing")],
  ["NoSuchKey", { kind: "missing", certain: true }],
  ["InvalidObjectState", failed("object archived")],
  ["InvalidAccessKeyId", failed("credentials refused")],
  ["SignatureDoesNotMatch", failed("credentials refused")],
  ["ExpiredToken", failed("credentials refused")],
  ["InvalidToken", failed("credentials refused")],
  ["TokenRefreshRequired", failed("credentials refused")],
  // The SDK learns the difference from this answer.
  ["RequestTimeTooSkewed", failed("clocks differ", true)],
  ["RequestTimeout", failed("no answer in time", true)],
  ["SlowDown", failed("server throttles", true)],
  ["Throttling", failed("server throttles", true)],
  ["ThrottlingException", failed("server throttles", true)],
  ["RequestLimitExceeded", failed("server throttles", true)],
  ["CredentialsProviderError", failed("no credentials")],
  ["TokenProviderError", failed("no credentials")],
]);

const bySystemCode: ReadonlyMap<string, Failure> = new Map([
  ["ENOTFOUND", failed("host not found")],
  ["EAI_AGAIN", failed("host not found", true)],
  ["ECONNREFUSED", failed("connection refused", true)],
  ["ECONNRESET", failed("connection broken", true)],
  ["EPIPE", failed("connection broken", true)],
  ["EHOSTUNREACH", failed("connection broken", true)],
  ["ENETUNREACH", failed("connection broken", true)],
  ["ETIMEDOUT", failed("no answer in time", true)],
]);

interface ClientError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

/** Reads an error of the SDK, of Node or of a body that was being read. Texts of errors are looked at, never repeated. */
export function failureOf(thrown: unknown): Failure {
  const error = (typeof thrown === "object" && thrown !== null ? thrown : {}) as ClientError;
  const status = error.$metadata?.httpStatusCode;
  // The SDK has no name for 304: it throws "Unknown" or an error of parsing, and only the status tells.
  if (status === 304) return notModified(error);
  if (status !== undefined && status >= 300) return byCode.get(String(error.name)) ?? byStatus(status);
  return byCode.get(String(error.name)) ?? bySystemCode.get(String(error.code)) ?? otherwise(error, status);
}

function notModified({ $response }: ClientError): Failure {
  const etag = $response?.headers?.etag;
  return { kind: "not-modified", ...defined({ etag }) };
}

function byStatus(status: number): Failure {
  if (status >= 500) return status === 503 ? failed("server throttles", true) : failed("server error", true);
  if (status === 404) return { kind: "missing", certain: false };
  if (status === 401 || status === 403) return failed("access denied");
  if (status === 408) return failed("no answer in time", true);
  if (status === 429) return failed("server throttles", true);
  return status < 400 ? failed("redirected elsewhere") : failed("refused by the server");
}

function otherwise({ name, code, message }: ClientError, status: number | undefined): Failure {
  const text = String(message);
  if (text.startsWith("Checksum mismatch")) return failed("answer damaged", true);
  if (text.startsWith("Connection lost") || text === "aborted") return failed("answer cut off", true);
  if (name === "TimeoutError") return failed("no answer in time", true);
  if (text.startsWith("Region is missing")) return failed("no region");
  if (/^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(String(code)))
    return failed("certificate refused");
  // Bytes that are no HTTP, or a body that is not what the status promised.
  if (String(code).startsWith("HPE_") || status !== undefined) return failed("answer not understood", true);
  return failed("client failed");
}
