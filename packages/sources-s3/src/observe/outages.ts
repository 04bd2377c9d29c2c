import type { S3Reason } from "../client/reason.ts";
import type { BucketPlace } from "../client/s3-wire.ts";

/** The result of one request that applies to all others to the same endpoint. */
const shared: ReadonlySet<S3Reason> = new Set([
  "endpoint not configured",
  "host not found",
  "connection refused",
  "certificate refused",
  "no credentials",
  "no region",
]);

/** Endpoints that cannot be reached, within one batch: a thousand objects are not a thousand tries at a dead host. */
export class Outages {
  readonly #found = new Map<string, S3Reason>();

  of({ endpoint }: BucketPlace): S3Reason | undefined {
    return this.#found.get(endpoint ?? "");
  }

  note({ endpoint }: BucketPlace, reason: S3Reason): void {
    if (shared.has(reason)) this.#found.set(endpoint ?? "", reason);
  }
}
