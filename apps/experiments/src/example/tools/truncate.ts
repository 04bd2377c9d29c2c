import { limits } from "../limits.ts";

/** The rest of a text after the limits on lines and bytes. */
export interface Kept {
  readonly lines: readonly string[];
  /** The limit that cut it; undefined where all of it is there. */
  readonly by: "lines" | "bytes" | undefined;
}

/** Whole lines from the start. None where the first line alone is too long. */
export function keepHead(lines: readonly string[]): Kept {
  let bytes = 0;
  for (const [index, line] of lines.entries()) {
    bytes += sizeOf(line, index);
    if (index === limits.shownLinesMax) return { lines: lines.slice(0, index), by: "lines" };
    if (bytes > limits.shownBytesMax) return { lines: lines.slice(0, index), by: "bytes" };
  }
  return { lines, by: undefined };
}

/** Whole lines from the end. None where the last line alone is too long. */
export function keepTail(lines: readonly string[]): Kept {
  const kept = keepHead(lines.toReversed());
  return { lines: kept.lines.toReversed(), by: kept.by };
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** Such as `50.0KB`. */
export function sizeText(bytes: number): string {
  return bytes < 1024 ? `${bytes}B` : `${(bytes / 1024).toFixed(1)}KB`;
}

/** With the line feed before it, if it has one. */
function sizeOf(line: string, index: number): number {
  return bytesOf(line) + (index === 0 ? 0 : 1);
}
