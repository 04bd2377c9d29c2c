import type { ObjectStore } from "@cm/object-model";
import {
  type Conversation,
  type ConversationFilter,
  type ConversationPage,
  getConversation,
  listConversations,
} from "./conversations.ts";
import { Records } from "./records/records.ts";
import { listRuns, type RunFilter, type RunPage } from "./runs/list-runs.ts";
import { type Run, readRun, runOf } from "./runs/run.ts";
import { readTurns, type TurnsPage, type TurnsRequest } from "./runs/turns.ts";

/** What can be seen of conversations and runs by whoever runs no agents. */
export interface LineageReader {
  conversation(id: string): Promise<Conversation>;
  conversations(filter?: ConversationFilter): Promise<ConversationPage>;
  turns(conversationId: string, request?: TurnsRequest): Promise<TurnsPage>;
  run(id: string): Promise<Run>;
  runs(filter?: RunFilter): Promise<RunPage>;
}

/** Reads what others wrote: takes no owner's name and writes nothing, so that a store may be open for reading alone. */
export function readLineage(store: ObjectStore): LineageReader {
  const records = new Records(store);
  const context = { records };
  return {
    conversation: (id) => getConversation(context, id),
    conversations: (filter = {}) => listConversations(context, filter),
    turns: (id, request = {}) => readTurns(context, id, request),
    run: async (id) => runOf(await readRun(records, id)),
    runs: (filter = {}) => listRuns(context, filter),
  };
}
