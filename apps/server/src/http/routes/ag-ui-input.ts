import { z } from "zod";
import { serverError } from "../../errors.ts";
import { limits } from "../../limits.ts";
import { deferredTool } from "../../presets/preset-schema.ts";
import type { RunInput } from "../../runs/run-input.ts";

const text = z.string().max(limits.inputCharsMax);

const source = z.looseObject({ type: z.string(), value: z.string(), mimeType: z.string().nullish() });

const part = z.looseObject({ type: z.string(), text: text.optional(), source: source.nullish() });

/** What we read of the messages that a client of AG-UI sends; the rest is its own. */
const message = z.looseObject({
  id: z.string().optional(),
  role: z.string(),
  content: z.union([text, z.array(part)]).nullish(),
  toolCallId: z.string().optional(),
  /** Of a result: why its call failed. */
  error: text.nullish(),
});

/** The part of AG-UI's `RunAgentInput` that a run here is made of. */
export const agUiInput = z.looseObject({
  threadId: z.string().min(1),
  runId: z.string().min(1),
  messages: z.array(message),
  /** What the client can do itself. */
  tools: z.array(z.object(deferredTool.shape)).max(limits.clientToolsMax).nullish(),
  resume: z
    .array(z.looseObject({ interruptId: z.string().min(1), status: z.string(), payload: z.unknown().optional() }))
    .nullish(),
});

export type AgUiInput = z.infer<typeof agUiInput>;
type AgUiMessage = AgUiInput["messages"][number];
type InputParts = Exclude<RunInput, string>;

/**
 * What a message says, as parts of a run's input.
 * @throws CmError `server/invalid-request` for what no agent here takes: it would answer without it
 */
export function inputParts({ content }: AgUiMessage): InputParts {
  if (!Array.isArray(content)) return [{ type: "text", text: content ?? "" }];
  return content.map(({ type, text: said = "", source: from }) => {
    if (type === "text") return { type, text: said };
    if (from?.type === "url") return { type: "url", url: from.value };
    const mime = from?.mimeType ?? "";
    if (type === "image" && from?.type === "data") return { type: "binary", data: from.value, mime };
    throw serverError(
      "server/invalid-request",
      `A message has a part of the type ${JSON.stringify(type.slice(0, 100))}; say texts, pictures with their data, and addresses.`,
    );
  });
}

export function contentText({ content }: AgUiMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap(({ type, text: said = "" }) => (type === "text" ? [said] : [])).join("\n\n");
}
