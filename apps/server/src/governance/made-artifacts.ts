import { type StepChain, stepChain } from "@cm/governance";
import type { JsonObject } from "@cm/object-model";
import { type NewArtifact, type ThreadMessage, limits as workspaceLimits } from "@cm/workspace";

interface FinishedCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly details: unknown;
  readonly chain: StepChain;
}

/** What a call made beside its output: the difference of a file, or a file. */
export function madeBy({ tool, args, details, chain }: FinishedCall): readonly NewArtifact[] {
  const name = nameOf(typeof args.path === "string" ? args.path : tool);
  const { patch, diff } = (details ?? {}) as { readonly patch?: unknown; readonly diff?: unknown };
  const change = typeof patch === "string" ? patch : diff;
  const made = tool === "edit" ? change : tool === "write" ? args.content : undefined;
  if (typeof made !== "string" || made.length > workspaceLimits.artifactCharsMax) return [];
  // As the file has it: none takes a lone surrogate.
  const text = made.toWellFormed();
  return tool === "edit"
    ? [{ chain, name, mediaType: "text/x-diff", made: { type: "file_diff", text } }]
    : [{ chain, name, made: { type: "generated_file", text } }];
}

/** The outputs of tools: each is the tool call's own object, and no copy of it. */
export function outputsIn(
  messages: readonly ThreadMessage[],
  { workspaceId, sessionId }: Pick<StepChain, "workspaceId" | "sessionId">,
): readonly NewArtifact[] {
  return messages.flatMap(({ role, object, taskId, stepId }): readonly NewArtifact[] => {
    if (role !== "tool" || object === undefined || taskId === null || stepId === null) return [];
    const chain = stepChain({ workspaceId, sessionId, taskId, stepId });
    return [{ chain, name: nameOf(object), made: { type: "tool_output", object } }];
  });
}

/** The end of a long path says more than its beginning. */
const nameOf = (text: string): string => text.slice(-workspaceLimits.nameCharsMax).toWellFormed();
