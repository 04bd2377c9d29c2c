import type { JsonObject } from "@cm/object-model";
import { saidOf } from "../branch/said-text.ts";
import type { PiMessage } from "../pi/pi-types.ts";

/** The text of a content that others made, whatever is in it: as `blocksOf` joins Pi's own. */
export function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap((block) => (isText(block) ? [block.text] : [])).join("\n");
}

/** What a message says, for the session. */
export function textOfVersion(message: PiMessage): string {
  switch (message.role) {
    case "user":
    case "custom":
    case "toolResult":
    case "assistant":
      return textIn(message.content);
    case "bashExecution":
    case "branchSummary":
    case "compactionSummary":
      return saidOf({ kind: "said", entry: "", message }).text;
    default:
      return "";
  }
}

export function isText(block: unknown): block is { readonly type: "text"; readonly text: string } {
  return hasType(block, "text") && "text" in block && typeof block.text === "string";
}

export const isImage = (block: unknown): block is object => hasType(block, "image");

/** The calls of an answer that others made, in a list of the caller's own. */
export function callsIn(message: PiMessage): { readonly id: string; readonly args: JsonObject }[] {
  const content: unknown = "content" in message ? message.content : undefined;
  if (message.role !== "assistant" || !Array.isArray(content)) return [];
  return content.flatMap((block) =>
    hasType(block, "toolCall") && "id" in block && "arguments" in block
      ? [{ id: String(block.id), args: { ...(block.arguments as JsonObject) } }]
      : [],
  );
}

function hasType(block: unknown, type: string): block is object {
  return typeof block === "object" && block !== null && "type" in block && block.type === type;
}
