import type { CmError, DocumentTypes, ObjectStore } from "@cm/object-model";
import type { Wait } from "./race-deadline.ts";

export interface WriteBehindOptions {
  /** Objects that are taken for absent while the base cannot say: those that only this client makes. Default: none. */
  readonly assumeAbsent?: (id: string) => boolean;
  /** Called once if queued commits can no longer be written, or after a permanent fault: every later call fails. */
  readonly onBroken?: (error: CmError) => void;
  /** How long a call waits for the base. Default: `writeBehindLimits.deadlineMs`. */
  readonly deadlineMs?: number;
  /** Room for what waits to be written. Default: `writeBehindLimits.queueBytesMax`. */
  readonly queueBytesMax?: number;
  /** Room for what this client read or wrote lately. Default: `writeBehindLimits.knownBytesMax`. */
  readonly knownBytesMax?: number;
  /** The object types that the base accepts. Default: the core types. */
  readonly types?: DocumentTypes;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
  /** Waits for the deadline, and between two attempts. Default: a timer that keeps no process alive. */
  readonly wait?: Wait;
}

/** How the store stands to its base. Plain data, no content. */
export interface WriteBehindState {
  /** Every call is the base's own. */
  readonly attached: boolean;
  readonly queuedCommits: number;
  /** UTF-16 units of the queued documents' JSON. */
  readonly queuedBytes: number;
  /** Since when it is detached, in milliseconds since the epoch. */
  readonly since?: number;
  /** Why: the newest fault, in a sentence. */
  readonly reason?: string;
  /** Its code: `store/corrupt` is a base that will not come back by itself. */
  readonly code?: string;
  /** The queue cannot be written any more; open the base anew. */
  readonly broken?: true;
}

/**
 * An `object-store/1` over another one that may be slow or offline. Attached, every answer is the base's. Detached,
 * commits are queued with provisional receipts and written later, in their order; their receipts name the newest basis
 * that the base gave.
 */
export interface WriteBehindStore extends ObjectStore {
  readonly state: WriteBehindState;
  /** Told after each change of `state`; what a listener throws is lost. @returns what ends it */
  onChange(listener: (state: WriteBehindState) => void): () => void;
  /** Tries at once, and gives whether everything is written and the base answers, within the time. */
  flush(deadlineMs: number): Promise<boolean>;
  /** Closes the base, too. What is queued is lost: flush before. */
  close(): Promise<void>;
}
