import { z } from "zod";
import { limits } from "../../limits.ts";
import { deferredTool } from "../../presets/preset-schema.ts";

const text = z.string().max(limits.inputCharsMax);

const part = z.looseObject({ type: z.string(), text: text.optional() });

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
    .array(z.looseObject({ interruptId: z.string().min(1), status: z.string(), payload: z.unknown() }))
    .nullish(),
});

export type AgUiInput = z.infer<typeof agUiInput>;
type AgUiMessage = AgUiInput["messages"][number];

export function contentText({ content }: AgUiMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap(({ type, text: said = "" }) => (type === "text" ? [said] : [])).join("\n\n");
}
