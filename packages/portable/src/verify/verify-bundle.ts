import { bundleFormat, type Counts } from "../format/lines.ts";
import { checkedLines, type OpenBundle, type ReadLimits } from "../read/checked-lines.ts";
import { Examination } from "./examination.ts";
import { digestOf, type Inventory } from "./inventory.ts";

/** The summary of a verified bundle. */
export interface BundleSummary {
  readonly format: string;
  readonly session: string;
  /** Over all that it says; equal for a plain and a gzip form. */
  readonly digest: string;
  readonly status: "active" | "paused";
  readonly counts: Readonly<Counts>;
  readonly lines: number;
  /** The size of the plain form. */
  readonly bytes: number;
  /** Whether all that a store needs is here, or something was erased before. */
  readonly complete: boolean;
  /**
   * Steps that replace others with erased text. The chain covers only the hashes of the replaced steps, so other
   * changes beside the erasure cannot be detected.
   */
  readonly replacedSteps: readonly string[];
}

/**
 * Reads a bundle once and checks all of it, without a store: bounds, encoding, digests, every document with its hashes,
 * every reference, the chain of steps, the counts. Holds one line at a time, and ids and hashes.
 * @throws CmError `bundle/...`, naming the line and the reason; or what `open` throws
 */
export async function verifyBundle(open: OpenBundle, limits: ReadLimits = {}): Promise<BundleSummary> {
  return summaryOf(await examine(open, limits));
}

/** `onLine` is told the number of each line that was looked at. */
export async function examine(
  open: OpenBundle,
  limits: ReadLimits = {},
  onLine: (number: number) => void = () => {},
): Promise<Inventory> {
  const examination = new Examination();
  for await (const line of checkedLines(open, limits)) {
    examination.take(line);
    onLine(line.number);
  }
  return examination.finish();
}

export function summaryOf(inventory: Inventory): BundleSummary {
  const { session, head, counts, sums, bytes, replacedSteps } = inventory;
  return {
    format: bundleFormat,
    session,
    digest: digestOf(inventory),
    status: head.status,
    counts,
    lines: sums.length,
    bytes,
    complete: counts.erased === 0 && replacedSteps.length === 0,
    replacedSteps,
  };
}
