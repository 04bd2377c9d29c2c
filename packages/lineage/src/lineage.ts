import { randomUUID } from "node:crypto";
import type { ObjectStore } from "@cm/object-model";
import type { LineageContext } from "./context.ts";
import {
  type Conversation,
  type ConversationFilter,
  type ConversationPage,
  type ConversationPatch,
  getConversation,
  listConversations,
  updateConversation,
} from "./conversations.ts";
import type { DisplayEvent } from "./display/fold-display.ts";
import type { RunStatus, StepState } from "./documents/types.ts";
import { fault, overLimit } from "./errors.ts";
import { lineageLimits } from "./limits.ts";
import { type FireRequest, fireMailbox, type Post, pendingPosts } from "./mailbox.ts";
import { Ownership } from "./ownership/ownership.ts";
import { recoverRuns } from "./ownership/recover.ts";
import { RunRegistry } from "./ownership/registry.ts";
import { Records } from "./records/records.ts";
import { checkName } from "./rules/names.ts";
import { archiveRun } from "./runs/archive.ts";
import { type CommittedRun, commitRun, endInterrupted, failRun, type RunEnd } from "./runs/end.ts";
import { listRuns, type RunFilter, type RunPage } from "./runs/list-runs.ts";
import { type Run, readRun, readSnapshot, runOf } from "./runs/run.ts";
import {
  type ContinueRequest,
  type ForkRequest,
  type RootRequest,
  type SubagentRequest,
  startContinue,
  startFork,
  startRoot,
  startSubagent,
} from "./runs/start.ts";
import { readTurns, type TurnsPage, type TurnsRequest } from "./runs/turns.ts";
import type { RunState, StateStore } from "./state/contract.ts";

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
}

/** Conversations and runs in a store, and this process as one that runs agents. */
export interface Lineage {
  readonly registry: RunRegistry;
  /** Call `renew` at least so often: a third of the lease. */
  readonly renewEveryMs: number;
  /** @throws CmError `lineage/not-ours` where another process took the owner's name */
  renew(): Promise<void>;
  /** At the start of a process: fails the runs that nobody runs any more. @returns their ids */
  recover(): Promise<readonly string[]>;

  conversation(id: string): Promise<Conversation>;
  conversations(filter?: ConversationFilter): Promise<ConversationPage>;
  updateConversation(id: string, patch: ConversationPatch): Promise<Conversation>;
  turns(conversationId: string, request?: TurnsRequest): Promise<TurnsPage>;

  root(request: RootRequest): Promise<Run>;
  continue(request: ContinueRequest): Promise<Run>;
  fork(request: ForkRequest): Promise<Run>;
  subagent(request: SubagentRequest): Promise<Run>;
  /** Posts of finished subagents that wait. */
  mailbox(conversationId: string): Promise<readonly Post[]>;
  fire(request: FireRequest, launch?: (run: Run) => void | Promise<void>): Promise<Run>;

  commit(id: string, end: RunEnd): Promise<CommittedRun>;
  fail(id: string, reason: string): Promise<Run>;
  /** The end of an interrupted run, with the state that it could still export. */
  endInterrupted(id: string, end?: RunEnd): Promise<Run>;
  archive(id: string): Promise<Run>;

  run(id: string): Promise<Run>;
  runs(filter?: RunFilter): Promise<RunPage>;
  /** Whether it runs in this process, and otherwise what the index says. */
  status(id: string): Promise<"running" | RunStatus>;
  /** What restores the agent. @throws CmError `lineage/not-found` for a run without one, `lineage/state-missing` */
  state(id: string): Promise<StepState | RunState>;
  /** What callers may see; nothing where none were kept. */
  display(id: string): Promise<readonly DisplayEvent[]>;

  /** Waits for the runs of this process, gives its lease back, and closes the state store. */
  close(): Promise<void>;
}

/**
 * Opens the lineage in a store, and takes the owner's name.
 * @throws CmError `lineage/limit`, `lineage/invalid`, and the store's own
 */
export async function openLineage(options: LineageOptions): Promise<Lineage> {
  const { store, states, owner = randomUUID(), leaseMs = lineageLimits.leaseMs, now = Date.now } = options;
  const { newId = randomUUID } = options;
  if (leaseMs > lineageLimits.leaseMsMax) throw overLimit("leaseMsMax", leaseMs);
  if (!(leaseMs >= lineageLimits.leaseMsMin)) throw overLimit("leaseMsMin", leaseMs);
  const records = new Records(store);
  const setting = { name: checkName("owner", owner), incarnation: randomUUID(), leaseMs, now };
  const ownership = new Ownership(records, setting);
  await ownership.take();
  const context = { records, ownership, registry: new RunRegistry(), states, now, newId };
  return lineageOf(context, Math.max(1, Math.floor(leaseMs / 3)));
}

function lineageOf(context: LineageContext, renewEveryMs: number): Lineage {
  const { records, ownership, registry, states } = context;
  return {
    registry,
    renewEveryMs,
    renew: () => ownership.renew(),
    recover: () => recoverRuns(context),
    conversation: (id) => getConversation(context, id),
    conversations: (filter = {}) => listConversations(context, filter),
    updateConversation: (id, patch) => updateConversation(context, id, patch),
    turns: (id, request = {}) => readTurns(context, id, request),
    root: (request) => startRoot(context, request),
    continue: (request) => startContinue(context, request),
    fork: (request) => startFork(context, request),
    subagent: (request) => startSubagent(context, request),
    mailbox: (id) => pendingPosts(context, id),
    fire: (request, launch) => fireMailbox(context, request, launch),
    commit: (id, end) => commitRun(context, id, end),
    fail: (id, reason) => failRun(context, id, reason),
    endInterrupted: (id, end) => endInterrupted(context, id, end),
    archive: (id) => archiveRun(context, id),
    run: async (id) => runOf(await readRun(records, id)),
    runs: (filter = {}) => listRuns(context, filter),
    status: async (id) => (registry.isRunning(id) ? "running" : (await readRun(records, id)).fields.status),
    state: (id) => readState(context, id),
    async display(id) {
      await readRun(records, id);
      return (await states?.readDisplay(id)) ?? [];
    },
    async close() {
      await registry.drain();
      await ownership.release();
      await states?.close?.();
    },
  };
}

async function readState({ records, states }: LineageContext, id: string): Promise<StepState | RunState> {
  const { state } = (await readSnapshot(records, id)).fields;
  if (typeof state === "object" && state !== null) return state;
  const stored = await states?.readState(id);
  if (stored !== undefined) return stored;
  throw fault("lineage/state-missing", `The state of the run ${id} is not in the state store; look where it went.`, {
    id,
  });
}
