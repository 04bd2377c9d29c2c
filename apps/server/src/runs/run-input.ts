import { z } from "@hono/zod-openapi";
import type { InboxMessage } from "../agent/inbox.ts";
import { limits } from "../limits.ts";

const text = z.string().max(limits.inputCharsMax);

const inputPart = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("text"), text, mode: z.enum(["file", "inline"]).optional() }),
    z.strictObject({ type: z.literal("url"), url: z.url(), mode: z.enum(["file", "inline"]).optional() }),
    z.strictObject({ type: z.literal("file"), path: text, mode: z.enum(["file", "inline"]).optional() }),
    z.strictObject({
      type: z.literal("binary"),
      data: z.base64(),
      mime: z.string().regex(/^image\/(png|jpeg|gif|webp)$/, "must be a picture: png, jpeg, gif or webp"),
      mode: z.enum(["file", "inline"]).optional(),
    }),
  ])
  .openapi("InputPart");

export const runInput = z.union([text, z.array(inputPart).max(limits.inputPartsMax)]).openapi("Input", {
  description: "A text, or parts: texts, pictures, paths of files and addresses of pages that the agent reads itself.",
});

export type RunInput = z.infer<typeof runInput>;

/** What a person says, as a message of the agent: files and pages are named, and it opens them itself. */
export function messageOf(input: RunInput, id: string): InboxMessage {
  if (typeof input === "string") return { id, text: input };
  const lines = input.flatMap((part) => {
    if (part.type === "text") return [part.text];
    if (part.type === "url") return [`Page: ${part.url}`];
    return part.type === "file" ? [`File: ${part.path}`] : [];
  });
  const attachments = input.flatMap((part) =>
    part.type === "binary" ? [{ mime: part.mime, data: Buffer.from(part.data, "base64") }] : [],
  );
  return { id, text: lines.join("\n\n"), ...(attachments.length > 0 ? { attachments } : {}) };
}

/** Whether there is nothing in it that an agent could answer. */
export function isEmptyInput(input: RunInput): boolean {
  const { text, attachments = [] } = messageOf(input, "");
  return text.trim() === "" && attachments.length === 0;
}
