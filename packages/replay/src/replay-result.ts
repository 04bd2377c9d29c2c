import type { Prices } from "@cm/context-log";
import type { ObjectStore } from "@cm/object-model";
import type { Recording } from "@cm/recordings";
import { type Lifetime, lifetimeName } from "./calls/recorded-cache.ts";
import type { ReplayFiles } from "./files/replay-files.ts";
import { limits } from "./limits.ts";
import { layoutFor, type NamedPolicy } from "./policies/named-policy.ts";
import { type ReplayOptions, replayRecording } from "./replay-recording.ts";
import type { RunResult, StoreKind } from "./results/run-result.ts";

/** A policy under the name by which results are told apart. */
export interface PolicyEntry {
  readonly name: string;
  readonly policy: NamedPolicy;
}

/** Prices under the name by which results are told apart. */
export interface PriceVector {
  readonly name: string;
  readonly prices: Prices;
}

/** What a run writes into, and how its result names that. */
export interface RunPlace {
  readonly store: ObjectStore;
  readonly kind: StoreKind;
  /** File name of the database. */
  readonly file?: string | undefined;
  /** The session's part of a node that others use, too. */
  readonly namespace?: string | undefined;
  /** For the readers of the result. */
  readonly notes?: readonly string[];
}

export interface RunOptions extends Pick<ReplayOptions, "dump" | "onCall"> {
  readonly policy: PolicyEntry;
  readonly pricing: PriceVector;
  /** Stays open, because the caller owns it. */
  readonly place: RunPlace;
  /** Base name of the recording's file. Default: the recording's id. */
  readonly file?: string;
  /** The session's id in the store. Default: the recording's id. */
  readonly session?: string;
  /** Default: the provider's cache never forgets. */
  readonly lifetime?: Lifetime;
  /** Default: unreachable files. They stay open. */
  readonly files?: ReplayFiles;
}

/**
 * One recording under one policy at one price: what each request would have cost, and what it still showed of what was
 * needed. `seconds` is time of this machine; all other figures follow from the arguments.
 */
export async function replayResult(recording: Recording, options: RunOptions): Promise<RunResult> {
  const { policy, pricing, place, file = recording.id, session = recording.id, lifetime = "never" } = options;
  const { files, dump, onCall } = options;
  const started = performance.now();
  const figures = await replayRecording(recording, {
    ...{ files, session, lifetime, dump },
    ...(onCall === undefined ? {} : { onCall }),
    store: place.store,
    layout: layoutFor(policy.policy, recording),
    prices: pricing.prices,
  });
  return {
    file,
    recording: recording.id,
    family: recording.format,
    policy: policy.name,
    layout: policy.policy.renderer.layout,
    session: place.namespace === undefined ? session : `${place.namespace}/${session}`,
    store: place.kind,
    database: place.file,
    prices: pricing.prices,
    pricing: pricing.name,
    lifetime: lifetimeName(lifetime),
    headChars: limits.headChars,
    ...figures,
    seconds: (performance.now() - started) / 1000,
    warnings: [...(place.notes ?? []), ...recording.warnings],
  };
}
