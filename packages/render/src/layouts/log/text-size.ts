import type { TextSize } from "../../grammar/notice.ts";

/** Lines where there are several, else characters. */
export function sizeOf(text: string): TextSize {
  const lines = linesIn(text);
  return lines > 1 ? { lines } : { chars: text.length };
}

export function linesIn(text: string): number {
  if (text === "") return 0;
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
