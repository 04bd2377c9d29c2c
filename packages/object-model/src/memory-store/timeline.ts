import type { Erasure } from "../contracts/object-store.ts";
import type { ObjectDocument } from "../documents/document.ts";
import { contentDigestOf } from "../documents/seal.ts";

/** One version of one object, with both its times. */
export interface TimelineVersion {
  readonly serial: number;
  readonly transaction: number;
  readonly transactionTimeMs: number;
  readonly validFromMs: number;
  readonly contentHash: string;
  /** SHA-256 of the text, kept only while the document is: it finds the other versions with the same text. */
  readonly digest: string | null;
  readonly document: ObjectDocument | undefined;
  readonly erased: Erasure | undefined;
}

/** Everything that was ever written about one object, by valid time and then transaction, newest first. */
export type Timeline = readonly TimelineVersion[];

/** The version that holds: greatest valid time not after the asked one, among equal ones the latest transaction. */
export function versionAt(timeline: Timeline, validTimeMs: number, transaction: number): TimelineVersion | undefined {
  return timeline.find((version) => version.validFromMs <= validTimeMs && version.transaction <= transaction);
}

/** The newest write, whatever its valid time: what expectations are held against. */
export function newestWrite(timeline: Timeline): TimelineVersion | undefined {
  return timeline.reduce<TimelineVersion | undefined>(
    (newest, version) => (newest === undefined || version.serial > newest.serial ? version : newest),
    undefined,
  );
}

export function withVersion(timeline: Timeline, added: TimelineVersion): Timeline {
  const place = timeline.findIndex((version) => !isNewer(version, added));
  return place < 0 ? [...timeline, added] : [...timeline.slice(0, place), added, ...timeline.slice(place)];
}

export function withErasure(
  timeline: Timeline,
  erased: Erasure,
  concerns: (version: TimelineVersion) => boolean,
): Timeline {
  return timeline.map((version) =>
    version.erased === undefined && concerns(version)
      ? { ...version, digest: null, document: undefined, erased }
      : version,
  );
}

export function digestForErasure(document: ObjectDocument): string | null {
  return document.content === "" ? null : contentDigestOf(document);
}

function isNewer(a: TimelineVersion, b: TimelineVersion): boolean {
  return a.validFromMs > b.validFromMs || (a.validFromMs === b.validFromMs && a.transaction > b.transaction);
}
