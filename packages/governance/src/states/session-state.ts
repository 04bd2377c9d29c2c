import { type Moves, moved } from "./moves.ts";

/** Domain model, "Session state machine". */
export const sessionStates = [
  "SESSION_CREATED",
  "SESSION_RUNNING",
  "WAITING_FOR_LLM",
  "WAITING_FOR_TOOL",
  "WAITING_FOR_APPROVAL",
  "SESSION_PAUSED",
  "SESSION_COMPLETED",
  "SESSION_FAILED",
  "SESSION_CANCELLED",
] as const;
export type SessionState = (typeof sessionStates)[number];

const wait = ["SESSION_RUNNING", "SESSION_FAILED", "SESSION_CANCELLED"] as const;

/** What has ended stays ended: who goes on makes a new session from the history. */
export const sessionMoves: Moves<SessionState> = {
  SESSION_CREATED: ["SESSION_RUNNING", "SESSION_FAILED", "SESSION_CANCELLED"],
  SESSION_RUNNING: [
    "WAITING_FOR_LLM",
    "WAITING_FOR_TOOL",
    "WAITING_FOR_APPROVAL",
    "SESSION_PAUSED",
    "SESSION_COMPLETED",
    "SESSION_FAILED",
    "SESSION_CANCELLED",
  ],
  WAITING_FOR_LLM: wait,
  WAITING_FOR_TOOL: wait,
  WAITING_FOR_APPROVAL: wait,
  SESSION_PAUSED: ["SESSION_RUNNING", "SESSION_COMPLETED", "SESSION_FAILED", "SESSION_CANCELLED"],
  SESSION_COMPLETED: [],
  SESSION_FAILED: [],
  SESSION_CANCELLED: [],
};

/** @throws CmError `governance/invalid-move` */
export const moveSession = (from: SessionState, to: SessionState): SessionState => moved(sessionMoves, from, to);

export const hasSessionEnded = (state: SessionState): boolean => sessionMoves[state].length === 0;

/** Whether a task may start: a created session has no bundle yet, and a paused one has none that holds. */
export const acceptsTask = (state: SessionState): boolean =>
  state === "SESSION_RUNNING" || state.startsWith("WAITING_FOR_");
