import * as z from "zod/mini";
import type { SessionEntry } from "../pi/pi-types.ts";

/**
 * Beside the links in Pi's session file: whether the extension was turned off or on there. It never reaches the model.
 */
export const switchType = "cm-switch";

const shape = z.object({ v: z.literal(1), on: z.boolean() });

export type Switch = z.infer<typeof shape>;

export const switchEntry = (on: boolean): Switch => ({ v: 1, on });

/** What was said last in a session, on whatever branch, given its entries oldest first. A fork takes it along. */
export function lastSwitch(entries: readonly SessionEntry[]): "on" | "off" | undefined {
  for (const entry of entries.toReversed()) {
    if (entry.type !== "custom" || entry.customType !== switchType) continue;
    const said = shape.safeParse(entry.data);
    if (said.success) return said.data.on ? "on" : "off";
  }
  return undefined;
}
