import { contextTool, preparedArguments, runContextTool } from "@cm/context-tool";
import type { ToolDefinition } from "@earendil-works/pi-coding-agent";
import { requireManaged, type ToolHost } from "./tool-host.ts";

/** Which objects a result shows whole, so that a session that is filled in from Pi's own file knows it as well. */
export interface ContextToolDetails {
  readonly cm: { readonly shows: readonly string[] };
}

type ContextTool = ToolDefinition<typeof contextTool.parameters, ContextToolDetails>;

/**
 * The one tool of the model. It stands in no list of Pi's prompt: its description says all. Calls share the session's
 * state, so none runs beside another. Pi marks as an error only what is thrown.
 */
export function contextToolFor(host: ToolHost): ContextTool {
  return {
    ...contextTool,
    label: contextTool.name,
    executionMode: "sequential",
    prepareArguments: preparedArguments,
    execute: async (_callId, args, _signal, _onUpdate, { cwd }) => {
      const { text, failed, shows } = await runContextTool(requireManaged(host), args, { cwd });
      if (failed) throw new Error(text);
      return { content: [{ type: "text", text }], details: { cm: { shows } } };
    },
  };
}
