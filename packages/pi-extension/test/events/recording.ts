import type { PiMessage, SessionEntry } from "../../src/pi/pi-types.ts";

/** What a real Pi told an extension in one process, with the entries of its sessions. No paths of the machine. */
export interface Recording {
  readonly pi: string;
  readonly seed: number;
  /** What was done, for people. */
  readonly actions: readonly string[];
  readonly entries: Readonly<Record<string, readonly SessionEntry[]>>;
  /** Each message of a `context` event once. */
  readonly messages: readonly PiMessage[];
  readonly events: readonly RecordedEvent[];
}

export interface RecordedEvent {
  readonly session: string;
  /** The newest entry of the branch when it came. */
  readonly leaf: string | null;
  readonly type: string;
  /** Places in `messages`, of a `context` event. */
  readonly context?: readonly number[];
  /** All else that the handlers look at. */
  readonly event?: Readonly<Record<string, unknown>>;
}

/** Stands in a recording for the folder of the home that it was made in. */
export const folderMark = "/home-of-the-recording";

/** Events that the extension listens to. */
export const heard: readonly string[] = [
  ...["session_start", "session_shutdown", "session_tree", "session_before_tree", "session_before_compact"],
  ...["context", "tool_result", "message_end", "turn_end", "agent_end"],
];
