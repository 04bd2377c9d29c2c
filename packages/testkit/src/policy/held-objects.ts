import type { ContextView } from "@cm/context-log";

/**
 * True for what the agent pinned, and dismissed neither itself nor as a file that its call names in any way: which file
 * a text shows is for each policy to say.
 */
export function isHeld({ log, sets, objects }: ContextView, id: string): boolean {
  if (!sets.pinned.has(id) || sets.dismissed.has(id)) return false;
  const call = log.find((entry) => entry.kind === "result" && entry.object === id);
  const args = call?.kind === "result" ? JSON.stringify(call.args) : "";
  return ![...sets.dismissed].some((dismissed) => {
    const { path } = objects.get(dismissed) ?? {};
    return path !== undefined && args.includes(path);
  });
}
