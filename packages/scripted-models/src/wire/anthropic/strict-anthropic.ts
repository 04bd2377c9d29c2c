import { z } from "zod";
import type { JsonObject } from "../json.ts";
import { shapeFault } from "../shape-fault.ts";

const marked = { cache_control: z.strictObject({ type: z.literal("ephemeral") }).optional() };
const text = z.strictObject({ type: z.literal("text"), text: z.string().regex(/\S/), ...marked });
const image = z.strictObject({
  type: z.literal("image"),
  source: z.strictObject({ type: z.literal("base64"), media_type: z.string(), data: z.base64() }),
  ...marked,
});
const thinking = z.strictObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() });
const toolUse = z.strictObject({
  ...{ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.record(z.string(), z.json()) },
  ...marked,
});
const toolResult = z.strictObject({
  ...{ type: z.literal("tool_result"), tool_use_id: z.string(), content: z.array(z.union([text, image])).optional() },
  ...{ is_error: z.boolean().optional(), ...marked },
});

const shape = z.object({
  model: z.string(),
  max_tokens: z.int().min(1),
  system: z.array(text).optional(),
  tools: z.array(z.strictObject({ name: z.string(), description: z.string(), input_schema: z.looseObject({}) })),
  messages: z
    .array(
      z.discriminatedUnion("role", [
        z.strictObject({ role: z.literal("user"), content: z.array(z.union([text, image, toolResult])).min(1) }),
        z.strictObject({ role: z.literal("assistant"), content: z.array(z.union([thinking, text, toolUse])).min(1) }),
      ]),
    )
    .min(1),
});

/** Differences of our own body from Anthropic's Messages; one sentence each. */
export const anthropicFaults = (body: JsonObject): readonly string[] => shapeFault(shape, body);
