import type { ObjectStore } from "@cm/object-model";
import type { ReadingContext } from "./context.ts";
import {
  type Conversation,
  type ConversationFilter,
  type ConversationPage,
  getConversation,
  listConversations,
} from "./conversations.ts";
import type { DisplayEvent } from "./display/fold-display.ts";
import type { StepState } from "./documents/types.ts";
import { fault } from "./errors.ts";
import { type Post, pendingPosts } from "./mailbox.ts";
import { Records } from "./records/records.ts";
import { listRuns, type RunFilter, type RunPage } from "./runs/list-runs.ts";
import { type Run, readRun, readSnapshot, runOf } from "./runs/run.ts";
import { readTurns, type TurnsPage, type TurnsRequest } from "./runs/turns.ts";
import type { RunState, StateStore } from "./state/contract.ts";

/** Conversations and runs in a store, to look at. */
export interface LineageReader {
  conversation(id: string): Promise<Conversation>;
  conversations(filter?: ConversationFilter): Promise<ConversationPage>;
  turns(conversationId: string, request?: TurnsRequest): Promise<TurnsPage>;
  /** Posts of finished subagents that wait. */
  mailbox(conversationId: string): Promise<readonly Post[]>;
  run(id: string): Promise<Run>;
  runs(filter?: RunFilter): Promise<RunPage>;
  /** What restores the agent. @throws CmError `lineage/not-found` for a run without one, `lineage/state-missing` */
  state(id: string): Promise<StepState | RunState>;
  /** What callers may see; nothing where none were kept. */
  display(id: string): Promise<readonly DisplayEvent[]>;
}

export interface LineageReaderOptions {
  /** A store that accepts `lineageTypes`; it is only read. */
  readonly store: ObjectStore;
  readonly states?: StateStore;
}

/** For programs that look and run nothing: nothing is written, and no owner's name is taken. */
export function readLineage({ store, states }: LineageReaderOptions): LineageReader {
  return readerOf({ records: new Records(store), states });
}

export function readerOf(context: ReadingContext): LineageReader {
  const { records, states } = context;
  return {
    conversation: (id) => getConversation(context, id),
    conversations: (filter = {}) => listConversations(context, filter),
    turns: (id, request = {}) => readTurns(context, id, request),
    mailbox: (id) => pendingPosts(context, id),
    run: async (id) => runOf(await readRun(records, id)),
    runs: (filter = {}) => listRuns(context, filter),
    state: (id) => readState(context, id),
    async display(id) {
      await readRun(records, id);
      return (await states?.readDisplay(id)) ?? [];
    },
  };
}

async function readState({ records, states }: ReadingContext, id: string): Promise<StepState | RunState> {
  const { state } = (await readSnapshot(records, id)).fields;
  if (typeof state === "object" && state !== null) return state;
  const stored = await states?.readState(id);
  if (stored !== undefined) return stored;
  const message = `The state of the run ${id} is not in the state store; look where it went.`;
  throw fault("lineage/state-missing", message, { id });
}
