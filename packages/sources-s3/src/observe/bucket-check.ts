import { AnswerError } from "../client/answer-error.ts";
import type { Failure } from "../client/failure.ts";
import { type BucketPlace, isFailure, type S3Wire } from "../client/s3-wire.ts";
import type { Stop } from "../client/stop.ts";

/**
 * Whether buckets exist, with one request for each bucket of a batch. The request is a listing of at most one key, not
 * HEAD, because an empty "200 OK" of a proxy would pass for the answer to HEAD.
 */
export class BucketCheck {
  readonly #wire: S3Wire;
  readonly #stop: Stop;
  readonly #asked = new Map<string, Promise<true | Failure>>();

  constructor(wire: S3Wire, stop: Stop) {
    this.#wire = wire;
    this.#stop = stop;
  }

  ask(place: BucketPlace): Promise<true | Failure> {
    const id = JSON.stringify([place.endpoint ?? "", place.bucket]);
    let answer = this.#asked.get(id);
    if (answer === undefined) {
      answer = this.#look(place);
      this.#asked.set(id, answer);
    }
    return answer;
  }

  async #look(place: BucketPlace): Promise<true | Failure> {
    const Bucket = place.bucket;
    return this.#wire.ask(place, this.#stop, async ({ sdk, client, stop }) => {
      const command = new sdk.ListObjectsV2Command({ Bucket, MaxKeys: 1 });
      const listing = await client.send(command, { abortSignal: stop.signal });
      if (listing.Name !== Bucket) throw new AnswerError("answer not understood");
      return true as const;
    });
  }
}

/**
 * The meaning of a missing key. It is absent only if the server is sure that it is the key that is missing and the
 * bucket was not seen to be missing; without that certainty the bucket must have been seen to be there.
 */
export async function confirmAbsence(
  place: BucketPlace,
  certain: boolean,
  buckets: BucketCheck,
): Promise<{ readonly kind: "absent" } | Extract<Failure, { kind: "failed" }>> {
  const bucket = await buckets.ask(place);
  if (bucket === true) return { kind: "absent" };
  if (isFailure(bucket) && bucket.kind === "failed") {
    // Reading may be allowed and listing not; then the server's own word for the key counts.
    return certain && bucket.reason === "access denied" ? { kind: "absent" } : bucket;
  }
  return { kind: "failed", reason: "bucket missing", again: false };
}
