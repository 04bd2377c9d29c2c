import type { RawObject } from "../json-lines.ts";

/** The newest version of the format. */
export const currentSessionVersion = 3;

/** The first line of a session file. Fields that are not named here are kept. */
export interface SessionHeader {
  type: "session";
  /** Absent means 1. */
  version?: number;
  id: string;
  /** ISO 8601, here and below. */
  timestamp: string;
  /** The folder in which the session was started. */
  cwd: string;
  title?: string;
  /** Opaque: a session id or a path, depending on how the session came to be. Never a key. */
  parentSession?: string;
}

export interface SessionEntryBase {
  id: string;
  /** The entry that this one continues; null for a root. */
  parentId: string | null;
  timestamp: string;
}

/** One message as an agent keeps it. Its other fields depend on the role. */
export interface AgentMessage {
  role: string;
  content?: unknown;
  /** Milliseconds since 1970. */
  timestamp?: number;
  [field: string]: unknown;
}

export interface SessionMessageEntry extends SessionEntryBase {
  type: "message";
  message: AgentMessage;
}

export interface SessionThinkingLevelChangeEntry extends SessionEntryBase {
  type: "thinking_level_change";
  /** Null counts as `off`. */
  thinkingLevel?: string | null;
}

/** oh-my-pi writes `model` ("provider/id") and `role`, Pi `provider` and `modelId`. */
export interface SessionModelChangeEntry extends SessionEntryBase {
  type: "model_change";
  model?: string;
  /** Absent means `default`. */
  role?: string;
  provider?: string;
  modelId?: string;
}

/** Who wrote an entry: `fromExtension` in oh-my-pi, `fromHook` in Pi. */
export interface SessionEntryOrigin {
  fromExtension?: boolean;
  fromHook?: boolean;
}

export interface SessionCompactionEntry extends SessionEntryBase, SessionEntryOrigin {
  type: "compaction";
  summary: string;
  shortSummary?: string;
  /** The first entry of the path that stays in the context; one that is not on the path before keeps nothing. */
  firstKeptEntryId: string;
  tokensBefore: number;
  details?: unknown;
  preserveData?: RawObject;
  /** Pi: prompt and tools at this point. */
  systemMessage?: AgentMessage;
}

export interface SessionBranchSummaryEntry extends SessionEntryBase, SessionEntryOrigin {
  type: "branch_summary";
  /** oh-my-pi: the entry that was branched from, or `root`. Pi: the leaf that was left. */
  fromId: string;
  summary: string;
  details?: unknown;
}

/** State of an extension; never part of the context. */
export interface SessionCustomEntry extends SessionEntryBase {
  type: "custom";
  customType: string;
  data?: unknown;
}

/** Text of an extension; part of the context. */
export interface SessionCustomMessageEntry extends SessionEntryBase {
  type: "custom_message";
  customType: string;
  content: unknown;
  display: boolean;
  details?: unknown;
}

export interface SessionLabelEntry extends SessionEntryBase {
  type: "label";
  targetId: string;
  /** Absent or empty takes the label away. */
  label?: string;
}

export interface SessionTtsrInjectionEntry extends SessionEntryBase {
  type: "ttsr_injection";
  injectedRules: string[];
}

export interface SessionInitLine extends SessionEntryBase {
  type: "session_init";
  systemPrompt: string;
  task: string;
  tools: string[];
  outputSchema?: unknown;
}

export interface SessionModeChangeEntry extends SessionEntryBase {
  type: "mode_change";
  mode: string;
  data?: RawObject;
}

/** Pi: the name of the session; the newest entry counts. */
export interface SessionInfoLine extends SessionEntryBase {
  type: "session_info";
  name?: string;
}

/** Pi: replaces what an earlier entry brings into the context; null takes it out. */
export interface SessionContextEditEntry extends SessionEntryBase {
  type: "context_edit";
  targetId: string;
  replacement: { content: unknown } | null;
}

/**
 * One line after the header: the eleven kinds of oh-my-pi and two of Pi's own. A file may hold kinds that are not in this
 * list; they are nodes of the tree like all others, and are kept as they are.
 */
export type SessionEntry =
  | SessionMessageEntry
  | SessionThinkingLevelChangeEntry
  | SessionModelChangeEntry
  | SessionCompactionEntry
  | SessionBranchSummaryEntry
  | SessionCustomEntry
  | SessionCustomMessageEntry
  | SessionLabelEntry
  | SessionTtsrInjectionEntry
  | SessionInitLine
  | SessionModeChangeEntry
  | SessionInfoLine
  | SessionContextEditEntry;

export type FileEntry = SessionHeader | SessionEntry;
