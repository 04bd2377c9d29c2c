import type { ToolResultEvent } from "@earendil-works/pi-coding-agent";
import { blocksOf } from "../branch/said-text.ts";
import type { ToolCall } from "../files/recorded-touch.ts";

/** A call that a tool made (Pi 1.0 on), with the call that it was made in; undefined for a call of the model's. */
export function nestedCallOf(event: ToolResultEvent): { readonly parent: string; readonly call: ToolCall } | undefined {
  if (!("parentToolCallId" in event) || typeof event.parentToolCallId !== "string") return undefined;
  const { toolName: tool, input: args, content, details, isError: failed } = event;
  return { parent: event.parentToolCallId, call: { tool, args, text: blocksOf(content).text, details, failed } };
}
