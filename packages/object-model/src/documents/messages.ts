import * as z from "zod/mini";
import { attachmentField, idField, jsonObjectField, nameField, textField } from "./fields.ts";

/** A model's reasoning, opaque to us: kept and sent back as it came, never folded. */
const thinkingField = z.strictObject({
  text: textField,
  signature: z.optional(textField),
  redacted: z.optional(z.boolean()),
});
export type Thinking = Readonly<z.infer<typeof thinkingField>>;

/**
 * A call as it stands in its assistant message. Arguments live in the tool call's object; only a call whose result
 * is not known when its step is written carries them here.
 */
const callField = z.strictObject({
  call_id: textField,
  tool: nameField,
  object: z.optional(idField),
  args: z.optional(jsonObjectField),
});

export const userMessage = z.strictObject({
  role: z.literal("user"),
  text: textField,
  attachments: z.optional(z.array(attachmentField)),
});

export const assistantMessage = z.strictObject({
  role: z.literal("assistant"),
  text: textField,
  thinking: z.optional(z.array(thinkingField)),
  calls: z.optional(z.array(callField)),
  model: z.optional(nameField),
  /** Who served the model, and by which wire format, as the agent names them. */
  provider: z.optional(nameField),
  api: z.optional(nameField),
  stop_reason: z.optional(nameField),
});

/** The result of a call, by reference to its object. */
export const toolMessage = z.strictObject({ role: z.literal("tool"), call_id: textField, object: idField });

/** One message of a step, in the order in which the model met it. */
export const messageField = z.discriminatedUnion("role", [userMessage, assistantMessage, toolMessage]);
export type StepMessage = z.infer<typeof messageField>;
