import type { LeveledObject } from "@cm/context-log";
import { counted, countText, visibleClause, visiblePath } from "@cm/terminal-text";
import { figureRows } from "../figures/figure-rows.ts";
import type { Health } from "../health.ts";
import type { Managed } from "../managed/managed.ts";
import { allObjects } from "./all-objects.ts";
import type { CommandHost } from "./command-host.ts";
import { commandLimits } from "./command-limits.ts";
import { contextReport } from "./context/context-report.ts";
import { titled } from "./titled.ts";

/** What `/cm status` says: never a fault, whatever is offline. */
export async function statusReport(host: CommandHost, _argument: string, cwd: string): Promise<string> {
  const managed = host.isEnabled() ? host.managed() : undefined;
  if (managed === undefined) return "The context manager is off: Pi works as without it. /cm on brings it back.";
  const { figures, health, storePlace } = managed;
  const { layout, preset } = host.settings();
  const rows = titled([
    ["state", stateText(health)],
    ...figureRows(figures),
    ["kept", await objectsText(managed)],
    ["preset", layout === "log" ? preset : 'none: each prompt is built anew (setting "layout": "ssot")'],
    ["store", visiblePath(storePlace, commandLimits.noteCharsMax)],
  ]);
  return [rows, ...(await contextReport(managed, cwd))].join("\n");
}

function stateText({ state, reason, unwritten }: Health): string {
  const why = reason === undefined ? "" : `: ${visibleClause(reason, commandLimits.noteCharsMax)}`;
  const waiting = unwritten === 0 ? "" : `; ${counted(unwritten, "step")} kept in memory, to be written later`;
  return `${stateTexts[state]}${why}${waiting}`;
}

const stateTexts: Readonly<Record<Health["state"], string>> = {
  opening: "on, opening the database",
  ok: "on",
  offline: "on, database offline",
  damaged: "on, database damaged",
  off: "off",
};

async function objectsText(managed: Managed): Promise<string> {
  try {
    const { objects, isWhole } = await allObjects(managed);
    const count = (is: (object: LeveledObject) => boolean) => countText(objects.filter(is).length);
    const pinned = count(({ pinned }) => pinned);
    const all = `${countText(objects.length)}${isWhole ? "" : " or more"}`;
    return `${all} files and outputs, ${pinned} pinned`;
  } catch {
    return "not to be had now";
  }
}
