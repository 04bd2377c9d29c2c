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

/** Arguments of an answer's calls, by the call's id. */
export function argumentsIn(message: PiMessage): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  const content: unknown = "content" in message ? message.content : undefined;
  if (message.role !== "assistant" || !Array.isArray(content)) return found;
  for (const block of content) {
    if (hasType(block, "toolCall") && "id" in block && "arguments" in block) {
      found.set(String(block.id), { ...(block.arguments as JsonObject) });
    }
  }
  return found;
}

function hasType(block: unknown, type: string): block is object {
  return typeof block === "object" && block !== null && "type" in block && block.type === type;
}
