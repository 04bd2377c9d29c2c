import type { Usage } from "@cm/context-log";
import type { JsonObject, Thinking } from "@cm/object-model";

/** A conversation between a user, a scripted model and scripted tools: plain data, the same object for the same id. */
export interface HarnessConversation {
  /** A harness that is slow to start may keep the run of an id: it is never played in two ways. */
  readonly id: string;
  readonly turns: readonly HarnessTurn[];
  /** Played before in another session of the same store. */
  readonly elsewhere?: readonly HarnessTurn[];
}

/** A user's prompt, and what the model answers until it calls nothing any more. */
export interface HarnessTurn {
  readonly prompt: string;
  readonly images?: readonly HarnessImage[];
  /** One for each request of the turn, in order. */
  readonly answers: readonly ScriptedAnswer[];
  /**
   * How the turn ends. `done` (default): the last answer calls nothing. `restarted`: then the harness is closed, and a
   * new process continues the session. `killed`: the process dies at once while the last answer's call runs (`hang`),
   * and a new one continues the session.
   */
  readonly end?: "done" | "restarted" | "killed";
  /** The database does not answer during this turn. It does again before the next one, or before the run ends. */
  readonly store?: "offline";
  /** Context Manager is switched off during this turn, as a user would. */
  readonly detached?: true;
  /** The user goes back to where the conversation stood after this turn, by its place from 0; -1: to the beginning. */
  readonly after?: number;
}

export interface ScriptedAnswer {
  readonly text: string;
  readonly thinking?: readonly Thinking[];
  /** All at once. */
  readonly calls?: readonly ScriptedCall[];
  /** What the user says while the calls run: it stands behind their results. */
  readonly steer?: string;
  /** What the model says of this request's tokens, where the harness lets it be chosen. */
  readonly usage?: Usage;
  /** The provider answers with an error before this answer comes: the harness asks again. */
  readonly failsFirst?: true;
}

/** A call of the scripted tool (`probeTool`), or of another one, which the harness does not know. */
export interface ScriptedCall {
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
}

export interface HarnessImage {
  readonly mime: string;
  readonly base64: string;
}
