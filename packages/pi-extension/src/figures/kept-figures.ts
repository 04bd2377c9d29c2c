import * as z from "zod/mini";
import type { SessionEntry } from "../pi/pi-types.ts";
import { figureLimits } from "./limits.ts";

export const figuresType = "cm-figures";

const count = z.number().check(z.gte(0));
const name = z.string().check(z.maxLength(figureLimits.nameCharsMax));
const side = z.object({ tokens: count, input: count, all: count });

const shape = z.object({
  v: z.literal(1),
  requests: z.int().check(z.gte(0)),
  bill: z.object({ ours: side, plain: side, unpriced: z.int().check(z.gte(0)) }),
  /** Tokens behind the newest answer. */
  context: z.object({ ours: count, plain: count, reported: z.boolean() }),
  charsPerToken: z.number().check(z.gt(0)),
  /** The oldest entry that stands in a Pi without us; tokens of its system prompt and tools, summary and messages. */
  kept: z.optional(name),
  plain: z.object({ head: count, summary: count, messages: count }),
  blocks: count,
  served: z.array(z.tuple([name, count, count])).check(z.maxLength(figureLimits.modelsMax)),
});

/** The figures as they stood at an entry of Pi's branch: what was billed so far, and what the next request needs. */
export type KeptFigures = z.infer<typeof shape>;

/** The newest ones among entries, given oldest first, with their place. */
export function newestKept(
  entries: readonly SessionEntry[],
): { readonly kept: KeptFigures; readonly place: number } | undefined {
  for (let place = entries.length - 1; place >= 0; place -= 1) {
    const entry = entries[place];
    if (entry?.type !== "custom" || entry.customType !== figuresType) continue;
    const parsed = shape.safeParse(entry.data);
    if (parsed.success) return { kept: parsed.data, place };
  }
  return undefined;
}
