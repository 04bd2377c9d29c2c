import type {
  CommandOutcome,
  ContextView,
  LeveledObject,
  ListQuery,
  ObjectList,
  OmittedTurns,
  RecallOutcome,
  SetCommand,
  TurnRecord,
} from "@cm/context-log";
import type { Fold, OpenedSession } from "@cm/session";
import type { Figures } from "../figures/figures.ts";
import type { Health } from "../health.ts";
import type { Steering } from "./steering.ts";

/** One version of an object, as people list it. No content. */
export interface HistoryRow {
  /** Milliseconds since the epoch, from when it holds. */
  readonly validAtMs: number;
  /** Milliseconds since the epoch, when it was written. */
  readonly writtenAtMs: number;
  readonly hash: string;
  /** Characters of its text; null where it has none. */
  readonly charCount: number | null;
  /** Why it has no text, or why it was erased: one sentence. */
  readonly note?: string;
}

/** A session from within. */
export interface SessionSnapshot {
  readonly view: ContextView;
  readonly folds: readonly Fold[];
}

/** An object as the session sees it now, with its text. */
export type ShownObject = LeveledObject;

/**
 * One managed Pi session, as tools, `/cm` and the status line see it. Getters never wait and never throw; calls reject
 * with CmError `pi/unavailable` where the session or its store cannot answer, and with what the session throws else.
 */
export interface Managed {
  readonly health: Health;
  /** As of the newest answer; undefined before the first. */
  readonly figures: Figures | undefined;
  /** Id of the session in the store. Undefined until it is linked. */
  readonly sessionId: string | undefined;
  /** A file's path, or a URL without login. */
  readonly storePlace: string;
  command(command: SetCommand): Promise<CommandOutcome>;
  /** An object with all its text, for the result of the call that asked. */
  recall(id: string): Promise<RecallOutcome>;
  list(query: ListQuery): Promise<ObjectList>;
  /** What was said and called in a turn, counted from 1: lines of the prompt name it. Undefined for none. */
  turn(turn: number): Promise<TurnRecord | undefined>;
  /** The turns of which messages left the prompt, undefined for none. */
  omittedTurns(match?: string): Promise<OmittedTurns | undefined>;
  /** Versions of an object, newest first. Empty where it is unknown. */
  history(idOrAlias: string): Promise<readonly HistoryRow[]>;
  /** Undefined where the session never met it. */
  show(idOrAlias: string): Promise<ShownObject | undefined>;
  /** A copy of all that the next prompt is made of, and the requests that folded text, oldest first. */
  inside(): Promise<SessionSnapshot>;
  /** Undefined under a layout that folds nothing. */
  readonly steering: Steering | undefined;
  /** Asks the store for something small. Rejects where it does not answer in time. */
  probe(): Promise<void>;
  /**
   * With the report of what changed meanwhile, where a session was continued (SSOT 3.6). Undefined until it is open.
   */
  opened(): OpenedSession | undefined;
}
