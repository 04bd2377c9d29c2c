import { z } from "zod";
import { limits } from "../limits.ts";
import { attachmentField, countField, idField, jsonObjectField, nameField, textField } from "./fields.ts";

/**
 * Why a file has no text. A path known only by name is a stub and `unread`; `deleted` means confirmed gone
 * (SSOT 5.9); the other two were read and hashed, and cannot or must not be kept as text.
 */
export const nullReasonField = z.enum(["unread", "deleted", "binary", "too_large"]);
export type NullReason = z.infer<typeof nullReasonField>;

/** SSOT 2.5 `file`. `source_hash` is an opaque string of its source: a SHA-256, a blob id, an ETag. */
export const filePayload = z.strictObject({
  content: textField.nullable(),
  source_hash: z.string().min(1).max(limits.nameCharsMax).optional(),
  file_type: nameField,
  /** UTF-16 units; 0 where content is null. */
  char_count: countField,
  /** Only where content is null: why. */
  null_reason: nullReasonField.optional(),
  /** Number of secrets replaced before storage; absent for none. */
  redactions: countField.optional(),
  /** The file that was just gone when this one came with the same bytes. A hint for people; no hash covers it. */
  moved_from: idField.optional(),
});

/** The part of a file that a call showed, by 1-based lines; no `end_line` where only the start is known. */
export const spanField = z.strictObject({
  file: idField,
  start_line: z.int().min(1),
  end_line: z.int().min(1).optional(),
  /** The version of the file that was shown, as its content hash; absent where the file itself was never read. */
  content_hash: z.string().max(64).optional(),
});
export type SeenSpan = Readonly<z.infer<typeof spanField>>;

/** SSOT 2.5 `toolcall`: written once, never updated. */
export const toolcallPayload = z.strictObject({
  content: textField.nullable(),
  tool: nameField,
  args: jsonObjectField,
  args_display: z.string().max(limits.argsDisplayCharsMax).optional(),
  status: z.enum(["ok", "fail"]),
  chat_ref: idField,
  file_refs: z.array(idField).optional(),
  /** What the agent saw of which file (design 5): the shown text is this object's content. */
  spans: z.array(spanField).optional(),
  attachments: z.array(attachmentField).optional(),
  redactions: countField.optional(),
});

export type FilePayload = z.infer<typeof filePayload>;
export type ToolcallPayload = z.infer<typeof toolcallPayload>;
