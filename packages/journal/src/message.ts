import { z } from "zod";
import { type ContentPart, toContent } from "./content.ts";
import { isRawObject } from "./json-lines.ts";

/** Tokens of one model call. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface UserMessage {
  readonly role: "user";
  readonly content: readonly ContentPart[];
  /** Milliseconds since 1970, here and below. */
  readonly timestamp?: number | undefined;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly ContentPart[];
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly usage?: Usage | undefined;
  /** Such as `stop`, `toolUse`, `length`, `error`, `aborted`. */
  readonly stopReason?: string | undefined;
  readonly errorMessage?: string | undefined;
  readonly timestamp?: number | undefined;
}

export interface ToolResultMessage {
  readonly role: "toolResult";
  /** The id of the call that it answers; empty where the file has none. */
  readonly toolCallId: string;
  readonly toolName?: string | undefined;
  readonly content: readonly ContentPart[];
  readonly isError: boolean;
  readonly details?: unknown;
  readonly timestamp?: number | undefined;
}

/** A command that the user ran, not the model. */
export interface BashExecutionMessage {
  readonly role: "bashExecution";
  readonly command: string;
  readonly output: string;
  readonly exitCode?: number | undefined;
  readonly excludeFromContext?: boolean | undefined;
  readonly timestamp?: number | undefined;
}

/** Text that an extension put into the context. */
export interface CustomMessage {
  readonly role: "custom";
  readonly customType: string;
  readonly content: readonly ContentPart[];
  readonly display: boolean;
  readonly details?: unknown;
  readonly timestamp?: number | undefined;
}

export interface BranchSummaryMessage {
  readonly role: "branchSummary";
  readonly summary: string;
  /** The entry that was left, or `root`. */
  readonly fromId: string;
  readonly timestamp?: number | undefined;
}

export interface CompactionSummaryMessage {
  readonly role: "compactionSummary";
  readonly summary: string;
  /** Tokens of the context that was summed up. */
  readonly tokensBefore: number;
  readonly timestamp?: number | undefined;
}

/** A message of a role, or in a shape, that this version does not know. */
export interface UnknownMessage {
  readonly role: "unknown";
  readonly raw: unknown;
}

/** One message of a session. Messages keep the fields of the file that are not named here. */
export type Message =
  | UserMessage
  | AssistantMessage
  | ToolResultMessage
  | BashExecutionMessage
  | CustomMessage
  | BranchSummaryMessage
  | CompactionSummaryMessage
  | UnknownMessage;

const content = z.union([z.string(), z.array(z.unknown())]).nullish();
const timestamp = z.number().optional().catch(undefined);
const text = z.string().optional().catch(undefined);
const usage = z
  .looseObject({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() })
  .optional()
  .catch(undefined);

/** Only what a message cannot do without may fail; everything else is taken where it has the right type. */
const message = z.discriminatedUnion("role", [
  z.object({ role: z.literal("user"), content, timestamp }),
  z.object({
    role: z.literal("assistant"),
    content,
    provider: text,
    model: text,
    usage,
    stopReason: text,
    errorMessage: text,
    timestamp,
  }),
  z.object({
    role: z.literal("toolResult"),
    content,
    toolCallId: z.string().catch(""),
    toolName: text,
    isError: z.boolean().catch(false),
    timestamp,
  }),
  z.object({
    role: z.literal("bashExecution"),
    command: z.string(),
    output: z.string().catch(""),
    exitCode: z.number().optional().catch(undefined),
    excludeFromContext: z.boolean().optional().catch(undefined),
    timestamp,
  }),
  z.object({
    role: z.literal("custom"),
    content,
    customType: z.string().catch(""),
    display: z.boolean().catch(false),
    timestamp,
  }),
  z.object({ role: z.literal("branchSummary"), summary: z.string(), fromId: z.string().catch("root"), timestamp }),
  z.object({ role: z.literal("compactionSummary"), summary: z.string(), tokensBefore: z.number().catch(0), timestamp }),
]);

const rolesWithContent: ReadonlySet<string> = new Set(["user", "assistant", "toolResult", "custom"]);

/** Reads the `message` of an entry. Never throws: what it does not know becomes a message of role `unknown`. */
export function toMessage(raw: unknown): Message {
  const read = message.safeParse(raw);
  if (!read.success || !isRawObject(raw)) return { role: "unknown", raw };
  const fields = { ...raw, ...read.data };
  return (rolesWithContent.has(fields.role) ? { ...fields, content: toContent(raw.content) } : fields) as Message;
}

/** Milliseconds since 1970 of an entry's ISO time, or undefined where it is none. */
export function toTimestamp(iso: string): number | undefined {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? undefined : time;
}
