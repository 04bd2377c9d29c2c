import type { AgentTool } from "@earendil-works/pi-agent-core";

/** Characters of the declarations of tools, which each request repeats. */
export const declaredChars = (tools: readonly AgentTool[]): number =>
  tools.reduce((sum, { description, parameters }) => sum + description.length + JSON.stringify(parameters).length, 0);
