import { z } from "zod";
import { isRawObject, type RawObject } from "../raw-object.ts";
import { tokenCount } from "../token-count.ts";

/** The used fields of one line of a transcript; all others, such as copies of tool output, are dropped. */
export type ClaudeCodeLine = z.infer<typeof line>;

const text = z.string().optional().catch(undefined);
const count = tokenCount.catch(0);

const usage = z
  .object({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  })
  .transform((tokens) => ({
    input: tokens.input_tokens,
    output: tokens.output_tokens,
    cacheRead: tokens.cache_read_input_tokens,
    cacheWrite: tokens.cache_creation_input_tokens,
  }));

const image = z.object({
  type: z.literal("image"),
  source: z.object({ data: z.unknown().optional(), media_type: z.unknown().optional() }),
});
/** Inside the result of a tool. */
const innerPart = z.union([z.object({ type: z.literal("text"), text: z.string().catch("") }), image]);
const innerParts = z.array(innerPart.nullable().catch(null)).transform(present);
const innerContent = z.union([z.string().transform(asPart), innerParts]).catch([]);

const part = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string().catch("") }),
  z.object({ type: z.literal("thinking"), thinking: z.string().catch(""), signature: text }),
  z.object({ type: z.literal("redacted_thinking"), data: z.string().catch("") }),
  z.object({
    type: z.literal("tool_use"),
    id: z.string().catch(""),
    name: z.string().catch(""),
    // Handed on as read: a rebuilt object would lose an own `__proto__` member.
    input: z.custom<RawObject>(isRawObject).catch({}),
  }),
  z.object({
    type: z.literal("tool_result"),
    tool_use_id: z.string().catch(""),
    content: innerContent,
    is_error: z.boolean().catch(false),
  }),
  image,
]);
const parts = z.array(part.nullable().catch(null)).transform(present);

export type ClaudeCodePart = z.infer<typeof part>;
export type ClaudeCodeInnerPart = z.infer<typeof innerPart>;

const message = z.object({
  id: z.unknown().optional(),
  model: text,
  usage: usage.optional().catch(undefined),
  stop_reason: text,
  // A bare string is one text part; none at all is an empty one.
  content: z.union([z.string().transform(asPart), parts]).catch([{ type: "text", text: "" }]),
});

const line = z.object({
  type: text,
  uuid: text,
  parentUuid: text,
  /** Across a compaction, where `parentUuid` is null. */
  logicalParentUuid: text,
  /** True for the talk of a sub-agent. */
  isSidechain: z.unknown().optional(),
  sessionId: text,
  cwd: text,
  timestamp: text,
  message: message.optional().catch(undefined),
});

function asPart(value: string): { type: "text"; text: string }[] {
  return [{ type: "text", text: value }];
}

function present<T>(values: readonly (T | null)[]): T[] {
  return values.filter((value) => value !== null);
}

/** Never fails: fields in a shape that is not their own count as absent. */
export function toClaudeCodeLine(raw: RawObject): ClaudeCodeLine {
  return line.parse(raw);
}
