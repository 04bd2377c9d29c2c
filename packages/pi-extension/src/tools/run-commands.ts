import type { SetCommand } from "@cm/object-model";
import type { Managed } from "../managed/managed.ts";
import { visibleLine } from "../text/visible-line.ts";
import { faultText } from "./tool-host.ts";
import { toolLimits } from "./tool-limits.ts";

type Action = SetCommand["action"];

/** What the model is told: where something changed, and where all was so before. */
const said: Readonly<Record<Action, readonly [changed: string, same: string]>> = {
  activate: ["its text follows", "its text is in view, or about to be"],
  deactivate: ["may be folded now", "was not active"],
  pin: ["pinned", "was pinned"],
  unpin: ["unpinned", "was not pinned"],
  show: ["shown", "was shown"],
  hide: ["hidden; list_objects still finds it", "was hidden"],
};

/**
 * Runs one command for each name and says of each in a line what came of it. A refusal is an answer.
 * @throws Error where the session cannot be asked, with what was done before
 */
export async function runCommands(managed: Managed, action: Action, names: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const name of names) {
    const shown = visibleLine(name, toolLimits.fieldCharsMax);
    try {
      const outcome = await managed.command({ action, id: name });
      const [changed, same] = said[action];
      if (outcome.done) lines.push(`${shown}: ${outcome.changed ? changed : same}`);
      else lines.push(`${shown}: refused. ${visibleLine(outcome.reason, toolLimits.reasonCharsMax)}`);
    } catch (error) {
      throw new Error([...lines, `${shown}: not done. ${faultText(error)}`].join("\n"), { cause: error });
    }
  }
  return lines.join("\n");
}
