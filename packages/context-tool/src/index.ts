export {
  type ContextAction,
  contextTool,
  contextToolName,
  type ToolAnswer,
} from "./context-tool.ts";
export { preparedArguments } from "./given-arguments.ts";
export { contextToolLimits } from "./limits.ts";
export type { ContextToolHost } from "./named-outcomes.ts";
export { type ContextToolOptions, runContextTool } from "./run-context-tool.ts";
