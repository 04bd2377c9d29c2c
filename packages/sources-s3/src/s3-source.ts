import type { ObserveRequest, ReadLimits, S3Binding, Source, Tracker } from "@cm/object-model";
import { bindS3, describeS3, parseS3Binding, type S3Place } from "./binding/s3-binding.ts";
import { ClientPool } from "./client/client-pool.ts";
import { Gate } from "./client/gate.ts";
import { S3Wire } from "./client/s3-wire.ts";
import { Stop } from "./client/stop.ts";
import { limits } from "./limits.ts";
import { Listing } from "./observe/listing.ts";
import { observeAll } from "./observe/observer.ts";
import { numberOption, placesOf, type S3SourceOptions } from "./options.ts";
import { S3Tracker } from "./track/s3-tracker.ts";
import { systemTimers } from "./track/timers.ts";

export interface S3Source extends Source<S3Binding> {
  /**
   * The binding of an object, from its parts or from `s3://BUCKET/KEY`, which means AWS.
   * @throws CmError `model/invalid-source`
   */
  bind(place: string | S3Place): S3Binding;
  track(onHint: (binding: S3Binding) => void): Tracker<S3Binding>;
  close(): Promise<void>;
}

/**
 * Objects in S3 buckets as a source (SSOT 5.11). The ETag is the source hash, text and ETag come from one answer, and a
 * missing bucket is unreachable where a missing key is absent. Nothing is loaded or sent before the first observation.
 * @throws CmError `source/invalid-option`
 */
export function createS3Source(options: S3SourceOptions = {}): S3Source {
  const { timers = systemTimers, random = Math.random } = options;
  const most = limits.requestsAtOnceMax;
  const places = numberOption("requestsAtOnce", options.requestsAtOnce, { least: 1, most, usual: most });
  const { pollMsMin, pollMsMax } = limits;
  const pollMs = numberOption("pollMs", options.pollMs, { least: pollMsMin, most: pollMsMax, usual: limits.pollMs });
  const life = new Stop();
  const pool = new ClientPool(placesOf(options));
  const wire = new S3Wire({ pool, gate: new Gate(places), random });
  const listing = new Listing(wire);
  return {
    contract: "source/1",
    type: "s3",
    parseBinding: parseS3Binding,
    bind: bindS3,
    describe: describeS3,
    observe: (requests: readonly ObserveRequest<S3Binding>[], bounds: ReadLimits, signal?: AbortSignal) =>
      observeAll(requests, bounds, { wire, listing, life, signal }),
    track: (onHint) => new S3Tracker({ onHint, life, wire, listing, pollMs, timers, random }),
    async close() {
      life.now("source closed");
      await pool.close();
    },
  };
}
