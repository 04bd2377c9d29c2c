import { isCmError, type ObjectStore } from "@cm/object-model";
import { badLine, bundleError } from "../errors.ts";
import { checkedLines, type OpenBundle, type ReadLimits } from "../read/checked-lines.ts";
import { type CarriedVersion, digestOf, type Inventory } from "../verify/inventory.ts";
import { examine } from "../verify/verify-bundle.ts";
import { BundleWriter, type WriteContext } from "./bundle-writer.ts";
import { type Comparison, compare } from "./compare.ts";
import { containsPendingMessages } from "./contains-pending-messages.ts";
import { hasStepsBeyond, importMark } from "./import-mark.ts";
import { checkLease, readTarget, relationOf, type TargetHeads } from "./target.ts";

export interface ImportProgress {
  readonly phase: "verifying" | "comparing" | "writing";
  /** Lines processed in this phase, and their total; 0 while the total is unknown. */
  readonly done: number;
  readonly total: number;
}

export interface ImportOptions extends ReadLimits {
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export interface ImportReceipt {
  readonly session: string;
  /** `unchanged`: the store has all of it, and perhaps more. */
  readonly outcome: "imported" | "extended" | "unchanged";
  readonly digest: string;
  /** Steps of the bundle that stand in the place of others (`BundleSummary`), whether or not they were added. */
  readonly replacedSteps: readonly string[];
  /** Versions that were added, and commits that were made. */
  readonly written: number;
  readonly commits: number;
}

/**
 * Puts a session from a bundle into a store. The bundle is verified as a whole first and compared with what the store
 * has; it is refused before anything is written. The heads come last: the session appears whole, or not at all. After a
 * crash the same call completes it.
 * @throws CmError `bundle/...`; what the store or `open` throws
 */
export async function importBundle(
  store: ObjectStore,
  open: OpenBundle,
  options: ImportOptions = {},
): Promise<ImportReceipt> {
  const { onProgress = () => {}, now = Date.now } = options;
  const inventory = await examine(open, options, (done) => onProgress({ phase: "verifying", done, total: 0 }));
  const { session, sums, replacedSteps } = inventory;
  onProgress({ phase: "comparing", done: 0, total: sums.length });
  const nowMs = now();
  const target = await readTarget(store, session);
  const digest = digestOf(inventory);
  const relation = relationOf(target, inventory);
  const unchanged: ImportReceipt = { session, outcome: "unchanged", digest, replacedSteps, written: 0, commits: 0 };
  if (relation === "same") {
    await resumeInterruptedImport(store, target, { session, nextStep: inventory.head.next_step, nowMs });
    return unchanged;
  }
  const comparison = await compareOrDiverge(store, inventory, relation === "other");
  if (relation === "other") {
    if (hasAllSteps(inventory, comparison)) return unchanged;
    throw diverged(session);
  }
  if (target.head !== undefined && !(await containsPendingMessages(target.head, open, options)))
    throw diverged(session);
  checkLease(target, session, nowMs);
  const { written, commits } = await write(
    open,
    { store, session, nextStep: inventory.head.next_step, digest, target, comparison, nowMs },
    { inventory, options },
  );
  return { ...unchanged, outcome: relation === "new" ? "imported" : "extended", written, commits };
}

/** All that an import was cut before is what it would have said at its end. */
async function resumeInterruptedImport(
  store: ObjectStore,
  { isUnfinished }: TargetHeads,
  { session, nextStep, nowMs }: Pick<WriteContext, "session" | "nextStep" | "nowMs">,
): Promise<void> {
  if (!isUnfinished || (await hasStepsBeyond(store, session, nextStep))) return;
  await store.commit([importMark(session, nowMs)]);
}

/** Other steps under the same numbers are what a session that went another way has. */
async function compareOrDiverge(store: ObjectStore, inventory: Inventory, isOther: boolean): Promise<Comparison> {
  try {
    return await compare(store, inventory);
  } catch (error) {
    throw isOther && isCmError(error, "bundle/conflict") ? diverged(inventory.session) : error;
  }
}

function hasAllSteps({ versions }: Inventory, { known }: Comparison): boolean {
  return versions.every(({ type, line }: CarriedVersion) => type !== "step" || known.has(line));
}

/** Reads the bundle a second time. Each line has to be the one that was verified, or nothing more is written. */
async function write(
  open: OpenBundle,
  context: WriteContext,
  { inventory, options }: { readonly inventory: Inventory; readonly options: ImportOptions },
): Promise<BundleWriter> {
  const { sums } = inventory;
  const writer = new BundleWriter(context);
  let done = 0;
  for await (const { number, line, byteCount } of checkedLines(open, options)) {
    if (line.sum !== sums[number - 1]) throw changed(number);
    if (line.kind === "version") await writer.take(line, number, byteCount);
    done = number;
    options.onProgress?.({ phase: "writing", done, total: sums.length });
  }
  if (done !== sums.length) throw changed(done + 1);
  await writer.finish();
  return writer;
}

function changed(line: number) {
  return badLine("bundle/changed", line, "it is not the line that was verified");
}

function diverged(session: string) {
  return bundleError(
    "bundle/diverged",
    `The store has session ${session} with other steps; fork one of them to keep both.`,
    { session },
  );
}
