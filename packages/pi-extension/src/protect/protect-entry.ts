import { noProtection, type Protection } from "@cm/render";
import * as z from "zod/mini";
import type { SessionEntry } from "../pi/pi-types.ts";
import { protectLimits } from "./protect-limits.ts";

export const protectType = "cm-protect";

const names = z.array(z.string().check(z.minLength(1), z.maxLength(protectLimits.patternCharsMax)));

const shape = z.object({
  v: z.literal(1),
  tools: names.check(z.maxLength(protectLimits.patternsMax)),
  paths: names.check(z.maxLength(protectLimits.patternsMax)),
  prompts: z.int().check(z.gte(0), z.lte(protectLimits.promptsMax)),
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
