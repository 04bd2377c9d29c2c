import { fileTouchLimits as limits } from "./file-limits.ts";

/** How a command ended. Version 1.x adds a sentence after the time. */
const ending = /(?:^|\n\n)Command (?:exited with code|timed out after|aborted|terminated without an exit code)[^\n]*$/;

/** That something was left out, and where all of it is: a temporary file, which is none of the project's. */
const leftOut =
  /\n\n\[(?:Showing (?:lines|last) [^\n]*|\d[^\n]* limit reached[^\n]*|Some lines truncated to [^\n]*|\d+ more lines in file[^\n]*)\]$/;

/** An output without what Pi itself says at its end. Only for finding paths: what a tool said is never stored so. */
export function stripToolRemarks(text: string): string {
  const from = Math.max(0, text.length - limits.remarkCharsMax);
  const end = text.slice(from).trimEnd().replace(ending, "").replace(leftOut, "");
  return text.slice(0, from) + end;
}
