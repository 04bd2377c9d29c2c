import type { BucketPlace, S3Wire } from "../client/s3-wire.ts";
import { Stop } from "../client/stop.ts";
import { limits } from "../limits.ts";
import type { Listing } from "../observe/listing.ts";
import { lookAt, lookingWith } from "../observe/look.ts";
import { eachAtOnce } from "../observe/observer.ts";
import type { Followed } from "./followed.ts";

export interface RoundOptions {
  readonly wire: S3Wire;
  readonly listing: Listing;
  readonly life: Stop;
  readonly onChange: (followed: Followed) => void;
}

export interface RoundResult {
  /** Objects that were asked for one by one. */
  readonly heads: number;
  /** Nothing could be reached. */
  readonly failed: boolean;
}

/** One look at the followed objects of one bucket: by a listing as far as that is cheaper, else one by one. */
export async function lookAround(
  place: BucketPlace,
  members: readonly Followed[],
  { wire, listing, life, onChange }: RoundOptions,
): Promise<RoundResult> {
  const stop = new Stop().at(limits.lookMs).inside(life);
  const looking = lookingWith(wire, stop);
  let reached = 0;
  try {
    const keys = members.map(({ binding }) => binding.key);
    const listed = await listing.of(place, keys, stop);
    const take = (followed: Followed, look: Parameters<Followed["take"]>[0]): void => {
      if (look.kind !== "unreachable") reached++;
      if (followed.take(look)) onChange(followed);
    };
    const single: Followed[] = [];
    for (const followed of members) {
      const sourceHash = listed.get(followed.binding.key);
      if (sourceHash === undefined) single.push(followed);
      else take(followed, { kind: "there", sourceHash, bytes: undefined });
    }
    await eachAtOnce(single, async (followed) => take(followed, await lookAt(followed.binding, looking)));
    return { heads: single.length, failed: reached === 0 && members.length > 0 };
  } finally {
    stop.release();
  }
}
