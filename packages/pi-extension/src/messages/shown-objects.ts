import { contextToolLimits, contextToolName } from "@cm/context-tool";
import type { PiToolResult } from "../pi/pi-types.ts";

/** The objects that a result of our tool shows whole, as its details in Pi's file say. */
export function shownObjects({ toolName, isError, details }: PiToolResult): readonly string[] {
  if (toolName !== contextToolName || isError || !isRecord(details) || !isRecord(details.cm)) return [];
  const { shows } = details.cm;
  if (!Array.isArray(shows)) return [];
  return shows.filter((one) => typeof one === "string").slice(0, contextToolLimits.namesPerCallMax);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
