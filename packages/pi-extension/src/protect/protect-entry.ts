import { noProtection, type Protection } from "@cm/render";
import * as z from "zod/mini";
import { commandLimits } from "../command/command-limits.ts";
import type { SessionEntry } from "../pi/pi-types.ts";

export const protectType = "cm-protect";

const names = z.array(z.string().check(z.minLength(1), z.maxLength(commandLimits.patternCharsMax)));

const shape = z.object({
  v: z.literal(1),
  tools: names.check(z.maxLength(commandLimits.patternsMax)),
  paths: names.check(z.maxLength(commandLimits.patternsMax)),
  prompts: z.int().check(z.gte(0), z.lte(commandLimits.promptsMax)),
});

/** What a person protected in this session of Pi, as its file keeps it: the newest entry holds, on whatever branch. */
export function protectionIn(entries: readonly SessionEntry[]): Protection {
  for (const entry of entries.toReversed()) {
    if (entry.type !== "custom" || entry.customType !== protectType) continue;
    const read = shape.safeParse(entry.data);
    if (read.success) return { tools: read.data.tools, paths: read.data.paths, prompts: read.data.prompts };
  }
  return noProtection;
}

export const protectEntry = (protection: Protection): object => ({ v: 1, ...protection });
