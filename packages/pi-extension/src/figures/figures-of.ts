import { join } from "node:path";
import { contextToolName } from "@cm/context-tool";
import type { PiSide } from "../pi/pi-side.ts";
import type { ExtensionAPI, ExtensionContext } from "../pi/pi-types.ts";
import { retentionOf } from "../provider/prices-of.ts";
import { compactionSettings } from "./compaction-settings.ts";
import { SessionFigures } from "./session-figures.ts";

export interface FiguresOptions {
  readonly side: PiSide;
  /** Pi's own folder. */
  readonly agentDir: string;
}

/** The figures of the session that Pi runs. */
export function figuresOf(pi: ExtensionAPI, ctx: ExtensionContext, { side, agentDir }: FiguresOptions): SessionFigures {
  const { modelRegistry, cwd } = ctx;
  return new SessionFigures({
    branch: () => side.branch(),
    append: (type, data) => side.append(type, data),
    head: () => headOf(pi, side.systemPrompt()),
    modelOf: (provider, id) => modelRegistry.find(provider, id),
    retention: retentionOf(process.env),
    compaction: compactionSettings([join(agentDir, "settings.json"), join(cwd, ".pi", "settings.json")]),
  });
}

/** System prompt and declarations of tools, in characters as JSON. */
function headOf(pi: ExtensionAPI, systemPrompt: string) {
  const active = new Set(pi.getActiveTools());
  const head = { chars: JSON.stringify(systemPrompt).length, ownChars: 0 };
  for (const { name, description, parameters } of pi.getAllTools()) {
    if (!active.has(name)) continue;
    const declared = JSON.stringify({ name, description, input_schema: parameters }).length;
    head.chars += declared;
    if (name === contextToolName) head.ownChars += declared;
  }
  return head;
}
