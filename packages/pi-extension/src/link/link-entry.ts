import * as z from "zod/mini";
import type { SessionEntry } from "../pi/pi-types.ts";

export const linkType = "cm-link";

const shape = z.object({
  v: z.literal(1),
  /** The CM session. */
  session: z.string().check(z.minLength(1)),
  /** Pi's session that wrote this: a fork copies its entries. */
  piSession: z.string(),
  /** The newest step of the CM session then; absent before the first. */
  n: z.optional(z.int().check(z.gte(0))),
});

/** Joins a branch of Pi to a step of a CM session. It never reaches the model. */
export type Link = z.infer<typeof shape>;

/** The newest link among entries, given oldest first; only of one session of Pi where that is named. */
export function newestLink(entries: readonly SessionEntry[], piSession?: string): Link | undefined {
  for (const entry of entries.toReversed()) {
    if (entry.type !== "custom" || entry.customType !== linkType) continue;
    const link = shape.safeParse(entry.data);
    if (link.success && (piSession === undefined || link.data.piSession === piSession)) return link.data;
  }
  return undefined;
}
