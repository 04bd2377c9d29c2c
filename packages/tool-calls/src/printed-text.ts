/** How Codex begins an output, before the line `Output:`. */
const heading =
  /^(?:(?:Chunk ID|Wall time|Exit code|Original token count|Total output lines): [^\n]{0,200}\n|Process (?:exited|running) with [^\n]{0,200}\n){1,8}Output:(?:\n|$)/;

/** An output without the lines that its harness puts before what the command printed. */
export function printedText(text: string): string {
  return text.slice(heading.exec(text)?.[0].length ?? 0);
}
