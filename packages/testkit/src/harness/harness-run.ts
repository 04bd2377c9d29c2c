import type { Usage } from "@cm/context-log";
import type { JsonObject, Thinking } from "@cm/object-model";

/** What became of a conversation: what the model was sent, and what the store has. Plain data. */
export interface HarnessRun {
  /** Every request of the agent, those asked again included, in order. Without `elsewhere`. */
  readonly requests: readonly SentRequest[];
  /** Undefined where no session was written. */
  readonly stored: StoredSession | undefined;
}

export interface SentRequest {
  readonly system: string;
  /** As the model got them, with the wire format's own ways undone: roles, pairs and pictures as below. */
  readonly messages: readonly SentMessage[];
  /** What the model said of its tokens; undefined where it said nothing, or failed. */
  readonly usage?: Usage;
}

export interface SentMessage {
  readonly role: "user" | "assistant" | "tool";
  /** Several texts of one message stand one line below the other. */
  readonly text: string;
  readonly thinking?: readonly Thinking[];
  readonly calls?: readonly { readonly callId: string; readonly tool: string; readonly args: JsonObject }[];
  /** The call that a `tool` message answers. */
  readonly callId?: string;
  /** Undefined where the wire format does not say it. */
  readonly failed?: boolean;
  /** The SHA-256 of each picture's bytes. */
  readonly images?: readonly string[];
}

/** What a session's documents say. `readStoredSession` reads it from a store. */
export interface StoredSession {
  /** Every step of the session by its number, those that it went back from included. */
  readonly steps: readonly StoredStep[];
  /** The numbers that lead to the newest step, from the first on. */
  readonly path: readonly number[];
  /** Messages that were received and stand in no step yet. */
  readonly pending: readonly string[];
}

export interface StoredStep {
  readonly n: number;
  /** What the user said before the request. */
  readonly said: readonly string[];
  readonly answer: { readonly text: string; readonly thinking: readonly Thinking[] };
  /** The answer's calls. `object` is undefined where no result is known. */
  readonly calls: readonly {
    readonly callId: string;
    readonly tool: string;
    readonly object: StoredCall | undefined;
  }[];
  /** Results that belong to no call of this answer: of an earlier one, or of none. */
  readonly late: readonly StoredCall[];
  readonly usage?: Usage;
  /** Whether the request wrote anything anew that had been sent. */
  readonly folded: boolean;
  /** The hash that was recorded, and the request as it is rebuilt from the store. */
  readonly promptHash: string;
  readonly prompt: SentRequest & { readonly hash: string; readonly complete: boolean };
}

/** A tool call's object. */
export interface StoredCall {
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
  /** Null where no output is known. */
  readonly text: string | null;
  readonly images: readonly string[];
}
