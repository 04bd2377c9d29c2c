import type { DocumentOf } from "@cm/object-model";
import type { Counts } from "../format/lines.ts";

/** A version that a bundle carries: everything but what it says. */
export interface CarriedVersion {
  readonly id: string;
  readonly type: string;
  readonly contentHash: string;
  readonly line: number;
  readonly bytes: number;
  /** The session that an unsourced object belongs to. */
  readonly session: string | undefined;
}

/** A step of a bundle. Parents stand before it, so that there are no circles. */
export interface CarriedStep {
  /** The hash in the chain; for a step that replaces another one, the replaced step's hash. */
  readonly contentHash: string;
  readonly parent: string | undefined;
  readonly session: string;
  readonly n: number;
  readonly line: number;
}

/** The contents of a verified bundle, by ids and hashes. */
export interface Inventory {
  readonly session: string;
  readonly versions: readonly CarriedVersion[];
  readonly steps: ReadonlyMap<string, CarriedStep>;
  /** Ids of steps with erased text: the chain covers their original form, not the present one. */
  readonly replacedSteps: readonly string[];
  /** Tool calls that steps name and that were erased. */
  readonly erasedCalls: readonly string[];
  /** Files and attachments that were erased, with the content hashes of the versions. */
  readonly erasedObjects: ReadonlyMap<string, ReadonlySet<string>>;
  readonly head: DocumentOf<"session">;
  readonly counts: Counts;
  /** Sum of each line: who reads them again can tell that they are the same. */
  readonly sums: readonly string[];
  readonly bytes: number;
}

/** The digest of a bundle: the sum of its last line. */
export function digestOf({ sums }: Inventory): string {
  return sums.at(-1) ?? "";
}
