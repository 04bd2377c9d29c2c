import { z } from "zod";
import { type ContentPart, toContent } from "./content.ts";
import type { RawObject } from "./json-lines.ts";
import { type Message, toMessage } from "./message.ts";

interface EntryBase {
  readonly id: string;
  /** The entry that this one continues; null for a root. It may name an entry that the file does not have. */
  readonly parentId: string | null;
  /** ISO 8601, or empty where the file has none. */
  readonly timestamp: string;
}

export interface MessageEntry extends EntryBase {
  readonly type: "message";
  readonly message: Message;
}

/** The user, or an extension, chose a thinking level. */
export interface ThinkingLevelChangeEntry extends EntryBase {
  readonly type: "thinking_level_change";
  readonly thinkingLevel: string;
}

/** Pi writes `provider` and `modelId`, oh-my-pi `model` ("provider/model") and `role`. */
export interface ModelChangeEntry extends EntryBase {
  readonly type: "model_change";
  readonly provider?: string | undefined;
  readonly modelId?: string | undefined;
  readonly model?: string | undefined;
  /** Absent means `default`. */
  readonly role?: string | undefined;
}

export interface CompactionEntry extends EntryBase {
  readonly type: "compaction";
  readonly summary: string;
  readonly shortSummary?: string | undefined;
  /**
   * The beginning of the kept part of the path; if it names no entry on the path, nothing before the compaction is
   * kept.
   */
  readonly firstKeptEntryId?: string | undefined;
  readonly tokensBefore?: number | undefined;
}

export interface BranchSummaryEntry extends EntryBase {
  readonly type: "branch_summary";
  readonly summary: string;
  /** The entry that was left, or `root`. */
  readonly fromId?: string | undefined;
}

/** State of an extension; never part of the context. */
export interface CustomEntry extends EntryBase {
  readonly type: "custom";
  readonly customType: string;
  readonly data?: unknown;
}

/** Text of an extension; part of the context. */
export interface CustomMessageEntry extends EntryBase {
  readonly type: "custom_message";
  readonly customType: string;
  readonly content: readonly ContentPart[];
  readonly display?: boolean | undefined;
  readonly details?: unknown;
}

export interface LabelEntry extends EntryBase {
  readonly type: "label";
  readonly targetId: string;
  /** Absent takes the label away. */
  readonly label?: string | undefined;
}

export interface SessionInfoEntry extends EntryBase {
  readonly type: "session_info";
  readonly name?: string | undefined;
}

/** oh-my-pi: rules that were put into the context once. */
export interface TtsrInjectionEntry extends EntryBase {
  readonly type: "ttsr_injection";
  readonly injectedRules: readonly string[];
}

/** oh-my-pi: what a sub-agent was started with. */
export interface SessionInitEntry extends EntryBase {
  readonly type: "session_init";
  readonly systemPrompt?: string | undefined;
  readonly task?: string | undefined;
  readonly tools?: readonly string[] | undefined;
}

/** oh-my-pi: such as `plan`. */
export interface ModeChangeEntry extends EntryBase {
  readonly type: "mode_change";
  readonly mode: string;
  readonly data?: unknown;
}

/** An entry of a type, or in a shape, that this version does not know. It keeps its place in the tree. */
export interface UnknownEntry extends EntryBase {
  readonly type: "unknown";
  readonly raw: RawObject;
}

/** One line of a session after the header. Entries keep the fields of the file that are not named here. */
export type Entry =
  | MessageEntry
  | ThinkingLevelChangeEntry
  | ModelChangeEntry
  | CompactionEntry
  | BranchSummaryEntry
  | CustomEntry
  | CustomMessageEntry
  | LabelEntry
  | SessionInfoEntry
  | TtsrInjectionEntry
  | SessionInitEntry
  | ModeChangeEntry
  | UnknownEntry;

const text = z.string().nullish().transform(absent);
const given = z.unknown();
const body = z.discriminatedUnion("type", [
  z.object({ type: z.literal("message"), message: z.looseObject({ role: z.string() }) }),
  z.object({ type: z.literal("thinking_level_change"), thinkingLevel: z.string() }),
  z.object({ type: z.literal("model_change"), provider: text, modelId: text, model: text, role: text }),
  z.object({
    type: z.literal("compaction"),
    summary: z.string(),
    shortSummary: text,
    firstKeptEntryId: text,
    tokensBefore: z.number().nullish().transform(absent),
  }),
  z.object({ type: z.literal("branch_summary"), summary: z.string(), fromId: text }),
  z.object({ type: z.literal("custom"), customType: z.string() }),
  z.object({
    type: z.literal("custom_message"),
    customType: z.string(),
    content: given,
    display: z.boolean().nullish().transform(absent),
  }),
  z.object({ type: z.literal("label"), targetId: z.string(), label: text }),
  z.object({ type: z.literal("session_info"), name: text }),
  z.object({ type: z.literal("ttsr_injection"), injectedRules: z.array(z.string()) }),
  z.object({
    type: z.literal("session_init"),
    systemPrompt: text,
    task: text,
    tools: z.array(z.string()).nullish().transform(absent),
  }),
  z.object({ type: z.literal("mode_change"), mode: z.string() }),
]);

function absent<T>(value: T | null | undefined): T | undefined {
  return value ?? undefined;
}

export interface EntryPlace {
  readonly id: string;
  readonly parentId: string | null;
}

/** Reads one object of version 3 at its place in the tree. Never throws: what it does not know becomes `unknown`. */
export function toEntry(raw: RawObject, { id, parentId }: EntryPlace): Entry {
  const base = { id, parentId, timestamp: typeof raw.timestamp === "string" ? raw.timestamp : "" };
  const read = body.safeParse(raw);
  if (!read.success) return { ...base, type: "unknown", raw };
  switch (read.data.type) {
    case "message":
      return { ...raw, ...base, type: "message", message: toMessage(raw.message) };
    case "custom_message":
      return { ...raw, ...base, ...read.data, content: toContent(raw.content) };
    default:
      return { ...raw, ...base, ...read.data };
  }
}

/** Whether a type is one of those that this version reads. */
export function isKnownType(type: unknown): boolean {
  return typeof type === "string" && body.options.some((option) => option.shape.type.value === type);
}
