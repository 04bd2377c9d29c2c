import { defined, nonEmpty, type S3Binding } from "@cm/object-model";
import { AnswerError } from "../client/answer-error.ts";
import { sourceHashOf } from "../client/etag.ts";
import { type BucketPlace, isFailure, type S3Wire } from "../client/s3-wire.ts";
import { Stop } from "../client/stop.ts";
import { limits } from "../limits.ts";

export type Listed = ReadonlyMap<string, string>;

/**
 * The ETags of many keys by listing what they begin with: one request for a thousand keys instead of one each. Keys that
 * are not in the answer may still be there, because not every server lists every key as it is called: only what is
 * listed counts. Where a listing is too long for what is looked for, it is not tried again for a while.
 */
export class Listing {
  readonly #wire: S3Wire;
  readonly #pausing = new Map<string, number>();

  constructor(wire: S3Wire) {
    this.#wire = wire;
  }

  /** Source hash by key, of some of these keys, perhaps of none. The keys are of one bucket. */
  async of(place: BucketPlace, keys: readonly string[], outer: Stop): Promise<Listed> {
    if (keys.length < limits.listFromKeys) return new Map();
    const id = JSON.stringify([place.endpoint ?? "", place.bucket]);
    const paused = this.#pausing.get(id) ?? 0;
    if (paused > 0) {
      this.#pausing.set(id, paused - 1);
      return new Map();
    }
    const stop = new Stop().inside(outer);
    try {
      const { listed, whole } = await this.#pages(place, keys, stop);
      if (!whole) this.#pause(id);
      return listed;
    } finally {
      stop.release();
    }
  }

  #pause(id: string): void {
    if (this.#pausing.size >= limits.bucketsRememberedMax) this.#pausing.clear();
    this.#pausing.set(id, limits.looksWithoutListing);
  }

  async #pages(place: BucketPlace, keys: readonly string[], stop: Stop): Promise<{ listed: Listed; whole: boolean }> {
    const wanted = new Set(keys);
    const prefix = commonStart(keys);
    const listed = new Map<string, string>();
    const pagesMax = Math.ceil(keys.length / limits.keysPerListedPage);
    let from: string | undefined;
    for (let page = 0; page < pagesMax; page++) {
      const answer = await this.#page(place, prefix, from, stop);
      if (answer === undefined) return { listed, whole: false };
      for (const { key, sourceHash } of answer.entries) if (wanted.has(key)) listed.set(key, sourceHash);
      from = answer.next;
      if (from === undefined) return { listed, whole: true };
    }
    return { listed, whole: false };
  }

  async #page(place: BucketPlace, prefix: string, from: string | undefined, outer: Stop) {
    const answer = await this.#wire.ask(place, outer, async ({ sdk, client, stop }) => {
      const command = new sdk.ListObjectsV2Command({
        Bucket: place.bucket,
        // XML has no word for some characters that keys may have.
        EncodingType: "url",
        ...nonEmpty({ Prefix: prefix }),
        ...defined({ ContinuationToken: from }),
      });
      const listing = await client.send(command, { abortSignal: stop.signal });
      if (listing.Name !== place.bucket) throw new AnswerError("answer not understood");
      const decode = listing.EncodingType === "url" ? decoded : (key: string) => key;
      const entries = (listing.Contents ?? []).flatMap(({ Key, ETag }) => {
        const key = Key === undefined ? undefined : decode(Key);
        const sourceHash = sourceHashOf(ETag);
        return key === undefined || sourceHash === undefined ? [] : [{ key, sourceHash }];
      });
      return { entries, next: listing.IsTruncated === true ? listing.NextContinuationToken : undefined };
    });
    return isFailure(answer) ? undefined : answer;
  }
}

/** The common beginning of all keys, without half a character. */
export function commonStart(keys: readonly string[]): string {
  let start = keys[0] ?? "";
  for (const key of keys) {
    while (!key.startsWith(start)) start = start.slice(0, -1);
  }
  return start.isWellFormed() ? start : start.slice(0, -1);
}

function decoded(key: string): string | undefined {
  try {
    return decodeURIComponent(key.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/** Bindings by their bucket. */
export function byBucket<T extends { readonly binding: S3Binding }>(items: readonly T[]): readonly (readonly T[])[] {
  const groups = Map.groupBy(items, ({ binding }) => JSON.stringify([binding.endpoint ?? "", binding.bucket]));
  return [...groups.values()];
}
