import type { DialectName } from "../format/dialect.ts";
import { isWellFormed } from "../format/entry-schema.ts";
import type { AgentMessage, SessionCompactionEntry, SessionEntry } from "../format/session-entry.ts";
import { indexEntries, pathAt } from "../tree/entry-index.ts";
import { messageOf } from "./context-messages.ts";
import { type ContextState, stateAlong } from "./context-state.ts";
import { editsIn, messagesInPi } from "./pi-messages.ts";

/** What a model is sent at a leaf, and the settings there. */
export interface SessionContext extends ContextState {
  readonly messages: readonly AgentMessage[];
}

export interface ContextOptions {
  /** Whose rules hold where the two differ. Default: `omp`. */
  readonly dialect?: DialectName;
}

/**
 * Rebuilds the context at a leaf. Pure.
 * @param leafId null: nothing; an id that is not there, or none: the last entry
 * @param byId the entries by their ids, where the caller has them at hand
 */
export function buildSessionContext(
  entries: readonly SessionEntry[],
  leafId?: string | null,
  byId?: ReadonlyMap<string, SessionEntry>,
  { dialect = "omp" }: ContextOptions = {},
): SessionContext {
  const path = pathAt(entries, leafId, byId ?? indexEntries(entries).byId);
  const inContext = afterCompaction(path);
  const state = stateAlong(path, { answersChooseModel: dialect === "pi" });
  return { messages: dialect === "pi" ? piMessages(inContext) : ompMessages(inContext), ...state };
}

interface InContext {
  /** The last one of the path. */
  readonly compaction: SessionCompactionEntry | undefined;
  /** An older compaction among them is part of its summary. */
  readonly kept: readonly SessionEntry[];
  readonly after: readonly SessionEntry[];
}

function afterCompaction(path: readonly SessionEntry[]): InContext {
  const at = path.findLastIndex((entry) => entry.type === "compaction" && isWellFormed(entry));
  if (at < 0) return { compaction: undefined, kept: [], after: path };
  const compaction = path[at] as SessionCompactionEntry;
  const before = path.slice(0, at);
  const from = before.findIndex(({ id }) => id === compaction.firstKeptEntryId);
  const kept = from < 0 ? [] : before.slice(from).filter((entry) => entry.type !== "compaction");
  return { compaction, kept, after: path.slice(at + 1) };
}

function ompMessages({ compaction, kept, after }: InContext): readonly AgentMessage[] {
  const summary = compaction === undefined ? [] : [compaction];
  return [...summary, ...kept, ...after].flatMap((entry) => messageOf(entry) ?? []);
}

/** Pi takes system messages out of what is kept, and lets later entries change what earlier ones bring. */
function piMessages({ compaction, kept, after }: InContext): readonly AgentMessage[] {
  const entries = [...kept.filter((entry) => !isSystemMessage(entry)), ...after];
  const edits = editsIn(entries);
  return [compaction, ...entries].flatMap((entry) => (entry === undefined ? [] : messagesInPi(entry, edits)));
}

function isSystemMessage(entry: SessionEntry): boolean {
  return entry.type === "message" && isWellFormed(entry) && entry.message.role === "system";
}
