import { change } from "./change.ts";
import { contextActions, type ToolAnswer } from "./context-tool.ts";
import { givenArguments } from "./given-arguments.ts";
import { list } from "./list.ts";
import type { ContextToolHost } from "./named-outcomes.ts";
import { field } from "./object-words.ts";
import { show } from "./show.ts";

export interface ContextToolOptions {
  /** Paths below it are named relative to it. */
  readonly cwd?: string;
}

/** Answers one call of the context tool, in plain words, whatever was given. Never throws. */
export async function runContextTool(
  host: ContextToolHost,
  args: unknown,
  { cwd }: ContextToolOptions = {},
): Promise<ToolAnswer> {
  const given = givenArguments(args);
  if (typeof given === "string") {
    const text = `"${field(given)}" is no action: use ${contextActions.join(", ")}.`;
    return { text, failed: true, shows: [] };
  }
  const asking = { host, cwd };
  switch (given.action) {
    case "show":
      return show(given, asking);
    case "list":
      return list(given, asking);
    default:
      return change(given.action, given, asking);
  }
}
