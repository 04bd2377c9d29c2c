import { z } from "zod";
import { isRawObject } from "../raw-object.ts";
import type { RecordedUsage } from "../recording.ts";
import { tokenCount } from "../token-count.ts";
import { type ContentPart, toContent } from "./content.ts";

interface WithContent {
  readonly content: readonly ContentPart[];
  /** Milliseconds since 1970. */
  readonly timestamp?: number | undefined;
}

export interface AssistantMessage extends WithContent {
  readonly role: "assistant";
  readonly model?: string | undefined;
  readonly usage?: RecordedUsage | undefined;
  readonly stopReason?: string | undefined;
}

export interface ToolResultMessage extends WithContent {
  readonly role: "toolResult";
  /** The id of the call that it answers; empty where the file has none. */
  readonly toolCallId: string;
  readonly toolName?: string | undefined;
  readonly isError: boolean;
}

/** A message of a session file, as far as a recording has room for it. */
export type Message =
  | (WithContent & { readonly role: "user" | "custom" })
  | AssistantMessage
  | ToolResultMessage
  | (Omit<WithContent, "content"> & { readonly role: "branchSummary" | "compactionSummary"; readonly summary: string })
  | (Omit<WithContent, "content"> & {
      readonly role: "bashExecution";
      readonly command: string;
      readonly output: string;
      readonly excludeFromContext?: boolean | undefined;
    });

const content = z
  .union([z.string(), z.array(z.unknown())])
  .nullish()
  .transform(toContent);
const timestamp = z.number().optional().catch(undefined);
const text = z.string().optional().catch(undefined);
const usage = z
  .object({ input: tokenCount, output: tokenCount, cacheRead: tokenCount, cacheWrite: tokenCount })
  .optional()
  .catch(undefined);

/** Only what a message cannot do without may fail; everything else is taken where it has the right type. */
const message = z.discriminatedUnion("role", [
  z.object({ role: z.enum(["user", "custom"]), content, timestamp }),
  z.object({ role: z.literal("assistant"), content, model: text, usage, stopReason: text, timestamp }),
  z.object({
    role: z.literal("toolResult"),
    content,
    toolCallId: z.string().catch(""),
    toolName: text,
    isError: z.boolean().catch(false),
    timestamp,
  }),
  z.object({ role: z.enum(["branchSummary", "compactionSummary"]), summary: z.string(), timestamp }),
  z.object({
    role: z.literal("bashExecution"),
    command: z.string(),
    output: z.string().catch(""),
    excludeFromContext: z.boolean().optional().catch(undefined),
    timestamp,
  }),
]);

/** Undefined for a message of a role, or in a shape, that is not known. */
export function toMessage(raw: unknown): Message | undefined {
  return isRawObject(raw) ? message.safeParse(raw).data : undefined;
}
