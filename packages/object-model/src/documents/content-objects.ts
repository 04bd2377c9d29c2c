import * as z from "zod/mini";
import { limits } from "../limits.ts";
import {
  attachmentField,
  countField,
  idField,
  jsonObjectField,
  nameField,
  sourceHashField,
  textField,
} from "./fields.ts";

/**
 * Why a file has no text. A path known only by name is a stub and `unread`; `deleted` means confirmed gone
 * (SSOT 5.9); the other two were read and hashed, and cannot or must not be kept as text.
 */
const nullReasonField = z.enum(["unread", "deleted", "binary", "too_large"]);
export type NullReason = z.infer<typeof nullReasonField>;

/** SSOT 2.5 `file`. */
export const filePayload = z.strictObject({
  content: z.nullable(textField),
  source_hash: z.optional(sourceHashField),
  file_type: nameField,
  /** UTF-16 units; 0 where content is null. */
  char_count: countField,
  /** Only where content is null: why. */
  null_reason: z.optional(nullReasonField),
  /** Number of secrets replaced before storage; absent for none. */
  redactions: z.optional(countField),
  /** The tool that read or wrote the file said what is in it, and no source could look: absent where one did. */
  content_from: z.optional(z.literal("tool")),
  /** Only in files of before decision 96: the file that was just gone when this one came with the same bytes. No hash covers it. */
  moved_from: z.optional(idField),
});

/** The part of a file that a call showed, by 1-based lines; no `end_line` where only the start is known. */
const spanField = z.strictObject({
  file: idField,
  start_line: z.int().check(z.gte(1)),
  end_line: z.optional(z.int().check(z.gte(1))),
  /** The version of the file that was shown, as its content hash; absent where the file itself was never read. */
  content_hash: z.optional(z.string().check(z.maxLength(64))),
});
export type SeenSpan = Readonly<z.infer<typeof spanField>>;

/** Where a call was made in a governed session (SSOT 3.14). */
const callChainField = z.strictObject({
  workspace_id: nameField,
  session_id: nameField,
  task_id: nameField,
  step_id: nameField,
});
export type CallChain = Readonly<z.infer<typeof callChainField>>;

/** SSOT 2.5 `toolcall`: written once, never updated. */
export const toolcallPayload = z.strictObject({
  content: z.nullable(textField),
  tool: nameField,
  args: jsonObjectField,
  args_display: z.optional(z.string().check(z.maxLength(limits.argsDisplayCharsMax))),
  status: z.enum(["ok", "fail"]),
  chat_ref: idField,
  file_refs: z.optional(z.array(idField)),
  /** What the agent saw of which file (SSOT 2.5): the shown text is this object's content. */
  spans: z.optional(z.array(spanField)),
  /** Objects whose kept text this output brings back: the agent asked for it. */
  shows: z.optional(z.array(idField)),
  attachments: z.optional(z.array(attachmentField)),
  redactions: z.optional(countField),
  /** Absent outside of governed sessions. */
  id_chain: z.optional(callChainField),
});

export type FilePayload = z.infer<typeof filePayload>;
export type ToolcallPayload = z.infer<typeof toolcallPayload>;
