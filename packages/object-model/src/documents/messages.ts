import { z } from "zod";
import { attachmentField, idField, jsonObjectField, nameField, textField } from "./fields.ts";

/** A model's reasoning, opaque to us: kept and sent back as it came, never folded. */
export const thinkingField = z.strictObject({
  text: textField,
  signature: textField.optional(),
  redacted: z.boolean().optional(),
});
export type Thinking = Readonly<z.infer<typeof thinkingField>>;

/**
 * A call as it stands in its assistant message. Arguments live in the tool call's object; only a call whose result
 * is not known when its step is written carries them here.
 */
export const callField = z.strictObject({
  call_id: textField,
  tool: nameField,
  object: idField.optional(),
  args: jsonObjectField.optional(),
});

export const userMessage = z.strictObject({
  role: z.literal("user"),
  text: textField,
  attachments: z.array(attachmentField).optional(),
});

export const assistantMessage = z.strictObject({
  role: z.literal("assistant"),
  text: textField,
  thinking: z.array(thinkingField).optional(),
  calls: z.array(callField).optional(),
  model: nameField.optional(),
  stop_reason: nameField.optional(),
});

/** The result of a call, by reference to its object. */
export const toolMessage = z.strictObject({ role: z.literal("tool"), call_id: textField, object: idField });

/** One message of a step, in the order in which the model met it. */
export const messageField = z.discriminatedUnion("role", [userMessage, assistantMessage, toolMessage]);
export type StepMessage = z.infer<typeof messageField>;
