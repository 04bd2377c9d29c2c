import type { AgentTool } from "@earendil-works/pi-agent-core";
import type { DelegateHost } from "./delegate-host.ts";

export const delegateToolName = "delegate";

/** Hands a task to a subagent, which works beside the run: the tool says that it began, and the mailbox has what it found. */
export const delegateTool = (names: readonly string[], host: DelegateHost): AgentTool =>
  ({
    name: delegateToolName,
    label: delegateToolName,
    description:
      "Gives a task to a subagent that works in the background. Its result comes later, with a message; do not wait for it. The same subagent again goes on where it was.",
    parameters: {
      type: "object",
      properties: {
        subagent: { type: "string", enum: names },
        task: { type: "string", description: "All that it must know: it does not see this conversation." },
      },
      required: ["subagent", "task"],
    },
    execute: async (_callId: string, args: unknown) => {
      const { subagent, task } = args as { readonly subagent: string; readonly task: string };
      const id = await host.delegate(subagent, task);
      return { content: [{ type: "text", text: `${subagent} works on it (run ${id}).` }], details: undefined };
    },
  }) as unknown as AgentTool;
