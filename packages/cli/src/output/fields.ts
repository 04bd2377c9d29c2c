import { visibleLine } from "@cm/terminal-text";
import { limits } from "../limits.ts";

/** Names and values below each other, the values in one column; empty values are left out. */
export function fieldLines(fields: readonly (readonly [string, string])[]): readonly string[] {
  const shown = fields.filter(([, value]) => value !== "");
  const widest = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(widest)}  ${visibleLine(value, limits.fieldCharsMax)}`);
}
