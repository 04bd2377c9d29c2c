import { randomUUID } from "node:crypto";
import type { ObjectStore } from "@cm/object-model";
import type { LineageContext } from "./context.ts";
import { type Conversation, type ConversationPatch, updateConversation } from "./conversations.ts";
import type { RunStatus } from "./documents/types.ts";
import { overLimit } from "./errors.ts";
import { lineageLimits } from "./limits.ts";
import { type LineageReader, readerOf } from "./lineage-reader.ts";
import { type FireRequest, fireMailbox } from "./mailbox.ts";
import { Ownership, type RunHolder } from "./ownership/ownership.ts";
import { RunRegistry } from "./ownership/registry.ts";
import { Records } from "./records/records.ts";
import { checkName } from "./rules/names.ts";
import { archiveRun } from "./runs/archive.ts";
import { type CommittedRun, commitRun, endInterrupted, failRun } from "./runs/end.ts";
import type { RunFilter } from "./runs/list-runs.ts";
import { OneAtATime } from "./runs/one-at-a-time.ts";
import { recoverRuns } from "./runs/recover.ts";
import type { ContinueRequest, ForkRequest, RootRequest, SubagentRequest } from "./runs/requests.ts";
import { type Run, readRun } from "./runs/run.ts";
import type { EndOfOrphan, RunEnd } from "./runs/run-end.ts";
import { type RunElsewhere, runsElsewhere } from "./runs/runs-elsewhere.ts";
import { startContinue, startFork, startRoot, startSubagent } from "./runs/start.ts";
import type { StateStore } from "./state/contract.ts";

export interface LineageOptions {
  /** A store that accepts `lineageTypes`. It stays open when the lineage is closed. */
  readonly store: ObjectStore;
  /** For states that are no steps, and for display messages. */
  readonly states?: StateStore;
  /**
   * The name of this process, the same after it was started again and no other's: runs of its former self then fail at
   * once. Default: a fresh one, so that they fail when the lease has run out.
   */
  readonly owner?: string;
  /** How long runs of this process count as running after it went silent. Default: `lineageLimits.leaseMs`. */
  readonly leaseMs?: number;
  /** Milliseconds since the epoch. The clocks of all processes must agree to a small part of a lease. */
  readonly now?: () => number;
  readonly newId?: () => string;
  /**
   * How a run ended whose process was gone before it could say so, where that stands elsewhere: it is committed so. Asked
   * before such a run fails; what it throws leaves the run as it is. Default: such a run has failed.
   */
  readonly endOfOrphan?: EndOfOrphan;
}

/** Conversations and runs in a store, and this process as one that runs agents. */
export interface Lineage extends LineageReader {
  readonly registry: RunRegistry;
  /** Call `renew` at least so often: a third of the lease. */
  readonly renewEveryMs: number;
  /** @throws CmError `lineage/not-ours` where another process took the owner's name */
  renew(): Promise<void>;
  /**
   * Says under which address other processes reach this one, as long as its lease is renewed.
   * @throws CmError `lineage/limit`, `lineage/not-ours`
   */
  announce(address: string): Promise<void>;
  /** The other process that executes a run; undefined for a run of this one, and for one that has ended. */
  holderOf(id: string): Promise<RunHolder | undefined>;
  /** Runs that other living processes execute now, newest first. */
  elsewhere(filter?: Pick<RunFilter, "conversationId">): AsyncGenerator<RunElsewhere>;
  /** At the start of a process: fails the runs without a live owner whose end is not known. @returns their ids */
  recover(): Promise<readonly string[]>;

  root(request: RootRequest): Promise<Run>;
  continue(request: ContinueRequest): Promise<Run>;
  fork(request: ForkRequest): Promise<Run>;
  subagent(request: SubagentRequest): Promise<Run>;
  fire(request: FireRequest, launch?: (run: Run) => void | Promise<void>): Promise<Run>;

  commit(id: string, end: RunEnd): Promise<CommittedRun>;
  fail(id: string, reason: string): Promise<Run>;
  /** The end of an interrupted run, with the state that it could still export. */
  endInterrupted(id: string, end?: RunEnd): Promise<Run>;
  archive(id: string): Promise<Run>;
  updateConversation(id: string, patch: ConversationPatch): Promise<Conversation>;

  /** Whether it runs in this process, and otherwise what the index says. */
  status(id: string): Promise<"running" | RunStatus>;
  /** Waits for the runs of this process, gives its lease back, and closes the state store. */
  close(): Promise<void>;
}

/**
 * Opens the lineage in a store, and takes the owner's name.
 * @throws CmError `lineage/limit`, `lineage/invalid`, and the store's own
 */
export async function openLineage(options: LineageOptions): Promise<Lineage> {
  const { store, states, owner = randomUUID(), leaseMs = lineageLimits.leaseMs, now = Date.now } = options;
  const { newId = randomUUID, endOfOrphan } = options;
  if (leaseMs > lineageLimits.leaseMsMax) throw overLimit("leaseMsMax", leaseMs);
  if (!(leaseMs >= lineageLimits.leaseMsMin)) throw overLimit("leaseMsMin", leaseMs);
  const records = new Records(store);
  const setting = { name: checkName("owner", owner), incarnation: randomUUID(), leaseMs, now };
  const ownership = new Ownership(records, setting);
  await ownership.take();
  const common = { records, ownership, states, now, newId, endOfOrphan };
  const context = { ...common, registry: new RunRegistry(), ends: new OneAtATime() };
  return lineageOf(context, Math.max(1, Math.floor(leaseMs / 3)));
}

function lineageOf(context: LineageContext, renewEveryMs: number): Lineage {
  const { records, ownership, registry, states } = context;
  return {
    ...readerOf(context),
    registry,
    renewEveryMs,
    renew: () => ownership.renew(),
    announce: (address) => ownership.announce(address),
    async holderOf(id) {
      const { fields } = await readRun(records, id);
      return fields.status !== "created" || ownership.isOurs(fields) ? undefined : ownership.holderOf(fields);
    },
    elsewhere: (filter) => runsElsewhere(context, filter),
    recover: () => recoverRuns(context),
    root: (request) => startRoot(context, request),
    continue: (request) => startContinue(context, request),
    fork: (request) => startFork(context, request),
    subagent: (request) => startSubagent(context, request),
    fire: (request, launch) => fireMailbox(context, request, launch),
    commit: (id, end) => commitRun(context, id, end),
    fail: (id, reason) => failRun(context, id, reason),
    endInterrupted: (id, end) => endInterrupted(context, id, end),
    archive: (id) => archiveRun(context, id),
    updateConversation: (id, patch) => updateConversation(context, id, patch),
    status: async (id) => (registry.isRunning(id) ? "running" : (await readRun(records, id)).fields.status),
    async close() {
      await registry.drain();
      await ownership.release();
      await states?.close?.();
    },
  };
}
