import type { ContextEvent, ExtensionAPI, ExtensionContext, SessionEntry } from "@earendil-works/pi-coding-agent";

/** A message of Pi's transcript. */
export type PiMessage = ContextEvent["messages"][number];
export type PiAssistant = Extract<PiMessage, { role: "assistant" }>;
export type PiToolResult = Extract<PiMessage, { role: "toolResult" }>;
export type PiImage = Extract<PiToolResult["content"][number], { type: "image" }>;
export type PiModel = NonNullable<ExtensionContext["model"]>;
export type { ExtensionAPI, ExtensionContext, SessionEntry };
export type PiArguments = Extract<PiAssistant["content"][number], { type: "toolCall" }>["arguments"];
