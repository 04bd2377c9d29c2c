import type { PiMessage } from "../pi/pi-types.ts";

/** Pi's tools whose files it lists behind a summary. */
const fileTools = new Set(["read", "edit", "write"]);

/** The files that an answer's calls name, as the agent wrote their paths. */
export function namedFiles(message: PiMessage): readonly string[] {
  if (message.role !== "assistant") return [];
  return (message.content ?? []).flatMap((block) => {
    const path: unknown = block.type === "toolCall" && fileTools.has(block.name) ? block.arguments?.path : undefined;
    return typeof path === "string" ? [path] : [];
  });
}
