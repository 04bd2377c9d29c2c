import { z } from "zod";
import { isRawObject, type RawObject } from "../raw-object.ts";
import { tokenCount } from "../token-count.ts";

/** One line of a rollout as far as it is used. */
export type CodexLine =
  | { readonly kind: "session"; readonly session: z.infer<typeof session> }
  | { readonly kind: "turn"; readonly model: string | undefined }
  | { readonly kind: "item"; readonly item: CodexItem }
  | { readonly kind: "unknown-item" }
  | { readonly kind: "tokens"; readonly last: CodexTokens; readonly total: number }
  | { readonly kind: "said-by-user" }
  | { readonly kind: "aborted" }
  | { readonly kind: "rolled-back"; readonly turns: number }
  | { readonly kind: "compacted"; readonly summary: string };

export type CodexItem = z.infer<typeof item>;
export type CodexTokens = z.infer<typeof tokens>;
export type CodexOutput = z.infer<typeof output>;

const text = z.string().optional().catch(undefined);
const words = z.string().catch("");
const count = tokenCount.catch(0);
/** Handed on as read: a rebuilt object would lose an own `__proto__` member. */
const args = z.custom<RawObject>(isRawObject).catch({});

/** `input_text`, `output_text`, `summary_text`, `reasoning_text` and `input_image`. */
const part = z.object({ type: words, text, image_url: text });
const parts = z
  .array(part.nullable().catch(null))
  .transform((all) => all.filter((one) => one !== null))
  .catch([]);
const output = z.union([z.string().transform(asPart), parts]).catch([]);
/** Older versions wrap what the tool printed. */
const wrapped = z.object({ content: words, success: z.boolean().optional().catch(undefined) });
const result = z
  .union([
    wrapped.transform(({ content, success }) => ({ parts: asPart(content), success })),
    output.transform((printed) => ({ parts: printed, success: undefined })),
  ])
  .catch({ parts: [], success: undefined });

const item = z.discriminatedUnion("type", [
  z.object({ type: z.literal("message"), role: words, content: output }),
  z.object({
    type: z.literal("reasoning"),
    summary: parts,
    content: parts,
    encrypted_content: text,
  }),
  z.object({ type: z.literal("function_call"), call_id: words, name: words, arguments: words }),
  z.object({ type: z.literal("custom_tool_call"), call_id: words, name: words, input: words }),
  z.object({ type: z.literal("local_shell_call"), call_id: text, action: args }),
  z.object({ type: z.literal("web_search_call"), action: args }),
  z.object({ type: z.literal("tool_search_call"), call_id: words, arguments: args }),
  z.object({ type: z.literal("function_call_output"), call_id: words, output: result }),
  z.object({ type: z.literal("custom_tool_call_output"), call_id: words, output: result }),
  z.object({ type: z.literal("tool_search_output"), call_id: words, tools: z.unknown().optional() }),
]);

const session = z.object({
  id: text,
  cwd: text,
  base_instructions: z.object({ text: words }).optional().catch(undefined),
});

const tokens = z.object({ input_tokens: count, cached_input_tokens: count, output_tokens: count });
const spent = z.object({ last_token_usage: tokens, total_token_usage: z.object({ total_tokens: z.number() }) });

function asPart(value: string): { type: string; text: string; image_url?: string | undefined }[] {
  return [{ type: "text", text: value }];
}

/** Never fails; undefined for lines that only say again what others say, or that belong to the terminal. */
export function toCodexLine(raw: RawObject): CodexLine | undefined {
  const payload = isRawObject(raw.payload) ? raw.payload : {};
  switch (raw.type) {
    case "session_meta":
      return { kind: "session", session: session.parse(payload) };
    case "turn_context":
      return { kind: "turn", model: text.parse(payload.model) };
    case "response_item":
      return toItem(payload);
    case "event_msg":
      return toEvent(payload);
    case "compacted":
      return { kind: "compacted", summary: words.parse(payload.message) };
    default:
      return undefined;
  }
}

/** Snapshots and encrypted summaries say nothing to a reader. */
const silent = new Set<unknown>(["ghost_snapshot", "compaction", "compaction_summary", "compaction_trigger"]);

function toItem(payload: RawObject): CodexLine | undefined {
  const read = item.safeParse(payload);
  if (read.success) return { kind: "item", item: read.data };
  return silent.has(payload.type) ? undefined : { kind: "unknown-item" };
}

function toEvent(payload: RawObject): CodexLine | undefined {
  switch (payload.type) {
    case "token_count": {
      const read = spent.safeParse(payload.info);
      if (!read.success) return undefined;
      return { kind: "tokens", last: read.data.last_token_usage, total: read.data.total_token_usage.total_tokens };
    }
    case "user_message":
      return { kind: "said-by-user" };
    case "turn_aborted":
      return { kind: "aborted" };
    case "thread_rolled_back":
      return { kind: "rolled-back", turns: count.parse(payload.num_turns) };
    default:
      return undefined;
  }
}
