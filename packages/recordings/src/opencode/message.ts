import { z } from "zod";
import { isRawObject, type RawObject } from "../raw-object.ts";
import { tokenCount } from "../token-count.ts";

/** A session of opencode as `opencode export` prints it and as its storage folder holds it in many files. */
export type OpencodeSession = z.infer<typeof session>;
export type OpencodeMessage = z.infer<typeof message>;
export type OpencodePart = z.infer<typeof part>;
export type OpencodeTokens = z.infer<typeof tokens>;
export type OpencodeFile = z.infer<typeof file>;

const text = z.string().optional().catch(undefined);
const words = z.string().catch("");
const count = tokenCount.catch(0);
/** Milliseconds since 1970. */
const time = z.number().optional().catch(undefined);
/** Handed on as read: a rebuilt object would lose an own `__proto__` member. */
const args = z.custom<RawObject>(isRawObject).catch({});

const tokens = z.object({
  total: tokenCount.optional().catch(undefined),
  input: count,
  output: count,
  cache: z.object({ read: count, write: count }).catch({ read: 0, write: 0 }),
});
const file = z.object({ mime: words, url: text });
const files = z
  .array(file.nullable().catch(null))
  .transform((all) => all.filter((one) => one !== null))
  .catch([]);
const span = z.object({ start: time, end: time }).catch({ start: undefined, end: undefined });

const id = text;
const part = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), id, text: words, ignored: z.unknown().optional(), time: span }),
  z.object({ type: z.literal("reasoning"), id, text: words, time: span }),
  file.extend({ type: z.literal("file"), id }),
  z.object({
    type: z.literal("tool"),
    id,
    callID: words,
    tool: words,
    state: z
      .object({
        status: words,
        input: args,
        output: words,
        error: words,
        time: span,
        attachments: files,
        metadata: z.object({ exit: count }).catch({ exit: 0 }),
      })
      .optional()
      .catch(undefined),
  }),
  z.object({ type: z.literal("step-start"), id }),
  z.object({ type: z.literal("step-finish"), id, reason: text, tokens: tokens.optional().catch(undefined) }),
]);

const info = z.object({
  id: text,
  role: words,
  system: z.union([z.string(), z.array(z.string()).transform((all) => all.join("\n\n"))]).catch(""),
  modelID: text,
  finish: text,
  tokens: tokens.optional().catch(undefined),
  error: z.object({ name: words }).optional().catch(undefined),
  time: z.object({ created: time }).catch({ created: undefined }),
});

/** Parts of other kinds, such as snapshots, say nothing to the model. */
const parts = z
  .array(part.nullable().catch(null))
  .transform((all) => all.filter((one) => one !== null))
  .catch([]);
const message = z.object({ info, parts });

const session = z.object({
  id: z.string(),
  directory: text,
  /** Where the user went back to: this message, and what follows, or in it this part and what follows. */
  revert: z.object({ messageID: z.string(), partID: text }).optional().catch(undefined),
});

const exported = z.object({ info: session, messages: z.array(message.nullable().catch(null)) });

/** Undefined for a value that `opencode export` does not print. */
export function toExport(
  value: unknown,
): { session: OpencodeSession; messages: (OpencodeMessage | null)[] } | undefined {
  const read = exported.safeParse(value);
  return read.success ? { session: read.data.info, messages: read.data.messages } : undefined;
}

/** The description of a session in the storage folder, undefined for any other value. */
export function toStoredSession(value: unknown): OpencodeSession | undefined {
  const isOne = isRawObject(value) && typeof value.projectID === "string" && isRawObject(value.time);
  return isOne ? session.safeParse(value).data : undefined;
}

/** A row of the database, whose `revert` is parsed; undefined where it is none. */
export function toSession(row: unknown): OpencodeSession | undefined {
  return session.safeParse(row).data;
}

/** Null for what is no message. */
export function toMessage(value: {
  readonly info: unknown;
  readonly parts: readonly unknown[];
}): OpencodeMessage | null {
  return message.safeParse(value).data ?? null;
}
