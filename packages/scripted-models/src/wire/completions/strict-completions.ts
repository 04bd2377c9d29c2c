import { z } from "zod";
import type { JsonObject } from "../json.ts";
import { shapeFault } from "../shape-fault.ts";

const part = z.union([
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({ type: z.literal("image_url"), image_url: z.strictObject({ url: z.string().startsWith("data:") }) }),
]);
const call = z.strictObject({
  id: z.string(),
  type: z.literal("function"),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
});

const shape = z.object({
  model: z.string(),
  tools: z.array(
    z.strictObject({
      type: z.literal("function"),
      function: z.strictObject({ name: z.string(), description: z.string(), parameters: z.looseObject({}) }),
    }),
  ),
  messages: z.array(
    z.discriminatedUnion("role", [
      z.strictObject({ role: z.literal("system"), content: z.string() }),
      z.strictObject({ role: z.literal("user"), content: z.union([z.string(), z.array(part).min(1)]) }),
      z.strictObject({
        role: z.literal("assistant"),
        content: z.string().nullable(),
        reasoning_content: z.string().optional(),
        tool_calls: z.array(call).min(1).optional(),
      }),
      z.strictObject({ role: z.literal("tool"), tool_call_id: z.string(), content: z.string() }),
    ]),
  ),
});

/** Differences of our own body from the chat completions; one sentence each. */
export const completionsFaults = (body: JsonObject): readonly string[] => shapeFault(shape, body);
