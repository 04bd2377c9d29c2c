import type { KnownState, Observation, SourceBinding } from "@cm/object-model";

/** What this client last saw of a file. Its own: never written into objects (SSOT 5.9). */
export interface KnownFile {
  readonly id: string;
  readonly binding: SourceBinding;
  readonly last: "present" | "absent" | "unreachable";
  /** Why it is unreachable. */
  readonly reason?: string;
  /** Of the newest time it was present. */
  readonly sourceHash?: string;
  readonly state?: KnownState;
  /** Somebody has looked at it at least once, this client or another. */
  readonly reached: boolean;
  /** It was gone or out of reach at some time. */
  readonly wasOrphaned: boolean;
  /** The store is known to have what was seen: a write that was only planned may have failed. */
  readonly inStore: boolean;
  /** Milliseconds since the epoch; one whose source gave no answer at all is not asked for again and again. */
  readonly lookAgainAtMs: number;
}

/** Whether a look may have found what the store does not have. */
export function isNews({ last, sourceHash, inStore }: KnownFile, observation: Observation): boolean {
  if (observation.kind === "present") return !inStore || last !== "present" || observation.sourceHash !== sourceHash;
  return observation.kind === "absent" && (!inStore || last !== "absent");
}

/** What a source is told of a file, so that it may answer without reading it. */
export function knownStateOf({ last, state, inStore }: KnownFile): KnownState | undefined {
  if (!inStore) return undefined;
  return last === "absent" ? { absent: true } : state;
}
