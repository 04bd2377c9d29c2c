import type { SetCommand } from "@cm/context-log";
import type { ToolAnswer } from "./context-tool.ts";
import type { GivenArguments } from "./given-arguments.ts";
import { contextToolLimits } from "./limits.ts";
import { namedOutcomes, refusalLine, type ToolRun } from "./named-outcomes.ts";
import { field } from "./object-words.ts";

export type Change = "release" | "pin" | "unpin";

const commands: Readonly<Record<Change, SetCommand["action"]>> = { release: "deactivate", pin: "pin", unpin: "unpin" };

/** What is said of an object: where something changed, and where all was so before. */
const said: Readonly<Record<Change, readonly [changed: string, same: string]>> = {
  release: ["released; it is kept, and show brings it back", "nothing of it is in view to be released"],
  pin: ["pinned: what is in view of it stays there", "was pinned already"],
  unpin: ["unpinned: it may be left out again", "was not pinned"],
};

/** Releases, pins or unpins objects, and says of each in a line what came of it. */
export async function change(action: Change, { id }: GivenArguments, asking: ToolRun): Promise<ToolAnswer> {
  const outcomes = await namedOutcomes(id, (name) => changed(action, name, asking), asking);
  if ("refused" in outcomes) return { text: outcomes.refused, failed: true, shows: [] };
  const lines = outcomes.map((outcome) =>
    outcome.done ? `${field(outcome.name)}: ${outcome.value}.` : refusalLine(outcome),
  );
  return { text: lines.join("\n"), failed: outcomes.every(({ done }) => !done), shows: [] };
}

async function changed(action: Change, name: string, { host }: ToolRun) {
  const outcome = await host.command({ action: commands[action], id: name });
  if (!outcome.done) return { done: false, reason: field(outcome.reason, contextToolLimits.reasonCharsMax) } as const;
  const [changedText, same] = said[action];
  const { objects } = action === "unpin" ? { objects: [] } : await host.list({ pinned: true });
  const pinned = objects.find(({ id }) => id === outcome.id);
  if (action === "release" && pinned !== undefined && outcome.changed)
    return { done: true, value: "released, though it is pinned; it is kept, and show brings it back" } as const;
  if (action === "pin" && pinned !== undefined && pinned.level !== "active")
    return { done: true, value: "pinned, but nothing of it is in view: show it, and that stays" } as const;
  return { done: true, value: outcome.changed ? changedText : same } as const;
}
