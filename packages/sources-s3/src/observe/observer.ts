import {
  defined,
  type KnownState,
  type Observation,
  type ObserveRequest,
  type ReadLimits,
  type S3Binding,
} from "@cm/object-model";
import { parseS3Binding } from "../binding/s3-binding.ts";
import type { S3Wire } from "../client/s3-wire.ts";
import { Stop } from "../client/stop.ts";
import { limits } from "../limits.ts";
import { byBucket, type Listing } from "./listing.ts";
import { type Looking, lookAt, lookingWith, unreachable } from "./look.ts";
import { readObject } from "./read-object.ts";

export interface ObserverOptions {
  readonly wire: S3Wire;
  readonly listing: Listing;
  /** Stops when the source is closed. */
  readonly life: Stop;
}

interface Asked extends ObserveRequest<S3Binding> {
  readonly index: number;
}

/** Answers every request in order, within the deadline. */
export async function observeAll(
  requests: readonly ObserveRequest<S3Binding>[],
  bounds: ReadLimits,
  { wire, listing, life, signal }: ObserverOptions & { readonly signal: AbortSignal | undefined },
): Promise<readonly Observation[]> {
  const stop = new Stop().at(bounds.deadlineMs).with(signal, "stopped by the caller").inside(life);
  const looking = lookingWith(wire, stop);
  const answers: Observation[] = [];
  const asked = requests.flatMap((request, index) => {
    const binding = checked(request.binding);
    if (binding === undefined) answers[index] = unreachable("not an S3 binding");
    return binding === undefined ? [] : [{ ...request, binding, index }];
  });
  try {
    for (const { index, state } of await unchangedByListing(asked, listing, stop, bounds)) {
      answers[index] = { kind: "unchanged", state };
    }
    const rest = asked.filter(({ index }) => answers[index] === undefined);
    await eachAtOnce(rest, async (request) => {
      answers[request.index] = await observeOne(request, bounds, looking);
    });
    return answers;
  } finally {
    stop.release();
  }
}

async function observeOne(request: Asked, { contentBytesMax }: ReadLimits, looking: Looking): Promise<Observation> {
  const { binding, known, want } = request;
  if (want !== "existence") return readObject({ binding, known, contentBytesMax }, looking);
  const look = await lookAt(binding, looking);
  return look.kind === "there" ? { kind: "exists" } : look;
}

/** Those of many known objects whose ETag a listing shows to be the same. */
async function unchangedByListing(
  asked: readonly Asked[],
  listing: Listing,
  stop: Stop,
  { deadlineMs }: ReadLimits,
): Promise<readonly { index: number; state: KnownState }[]> {
  const known = asked.filter(({ known, want }) => want !== "existence" && known?.sourceHash !== undefined);
  const part = new Stop().inside(stop).at(deadlineMs * limits.listingShare);
  const groups = byBucket(known).map(async (group) => {
    const [first] = group;
    if (first === undefined) return [];
    const listed = await listing.of(
      first.binding,
      group.map(({ binding }) => binding.key),
      part,
    );
    return group.flatMap(({ index, binding, known }) => {
      const sourceHash = listed.get(binding.key);
      if (sourceHash === undefined || sourceHash !== known?.sourceHash) return [];
      const { hint } = known;
      return [{ index, state: { sourceHash, ...defined({ hint }) } }];
    });
  });
  try {
    return (await Promise.all(groups)).flat();
  } finally {
    part.release();
  }
}

/** Stored bindings are data: only one in normal form names its object, and only a bucket's name keeps to its endpoint. */
function checked(binding: S3Binding): S3Binding | undefined {
  try {
    return parseS3Binding(binding);
  } catch {
    return undefined;
  }
}

/** As many workers as requests may be on their way, so that a batch of thousands is not thousands of promises. */
export async function eachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(items.length, limits.requestsAtOnceMax) }, worker));
}
