import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { listTool } from "./list-tool.ts";
import { setTools } from "./set-tools.ts";
import type { ToolHost } from "./tool-host.ts";

/** Names of the tools that the model gets from us. */
export const toolNames = ["activate", "deactivate", "pin", "unpin", "list_objects"] as const;

/** Registers the tools, once and at load: a tool that comes or goes later changes the head of every cached prompt. */
export function registerTools(pi: Pick<ExtensionAPI, "registerTool">, host: ToolHost): void {
  for (const tool of setTools(host)) pi.registerTool(tool);
  pi.registerTool(listTool(host));
}
