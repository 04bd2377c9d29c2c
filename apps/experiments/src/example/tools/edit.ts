import { limits } from "../limits.ts";
import { openText } from "./open-text.ts";
import { done, type EditArgs, failure, type Replacement, type ToolResult, type Workspace } from "./tool.ts";
import { write } from "./write.ts";

/** Replaces blocks of a file: all of them, or none. */
export async function edit({ path, edits }: EditArgs, workspace: Workspace): Promise<ToolResult> {
  const opened = await openText(workspace, path);
  if ("problem" in opened) return failure(opened.problem);
  const replaced = replaceBlocks(opened.text, edits);
  if ("problem" in replaced) return failure(`${replaced.problem} in ${path}. ${replaced.advice}`);
  if (replaced.text === opened.text) return failure(`No changes made to ${path}. The replacement is the same text.`);
  const written = await write({ path, content: replaced.text }, workspace);
  return written.failed ? written : done(`Successfully replaced ${edits.length} block(s) in ${path}.`);
}

export type Replaced = { readonly text: string } | { readonly problem: string; readonly advice: string };

/** Every old text is looked for in the text as it was, stands there exactly once, and overlaps no other. */
export function replaceBlocks(text: string, edits: readonly Replacement[]): Replaced {
  if (edits.length === 0 || edits.length > limits.editsMax) {
    return { problem: `Found ${edits.length} edits`, advice: `Give 1 to ${limits.editsMax} of them.` };
  }
  const found: { start: number; end: number; newText: string }[] = [];
  for (const [index, { oldText, newText }] of edits.entries()) {
    const name = edits.length === 1 ? "the exact text" : `edits[${index}]`;
    const count = occurrences(text, oldText);
    if (count === 0) {
      const advice = "The old text must match exactly including all whitespace and newlines.";
      return { problem: `Could not find ${name}`, advice };
    }
    if (count > 1) {
      const advice = "The text must be unique. Please provide more context to make it unique.";
      return { problem: `Found ${count} occurrences of ${name}`, advice };
    }
    const start = text.indexOf(oldText);
    found.push({ start, end: start + oldText.length, newText });
  }
  found.sort((a, b) => a.start - b.start);
  if (found.some(({ start }, index) => start < (found[index - 1]?.end ?? 0))) {
    return { problem: "Found edits that overlap", advice: "Merge them into one edit." };
  }
  const kept = found.map(({ start, newText }, index) => text.slice(found[index - 1]?.end ?? 0, start) + newText);
  return { text: kept.join("") + text.slice(found.at(-1)?.end ?? 0) };
}

/** Overlapping ones too, for they are as ambiguous. An empty text stands nowhere. */
export function occurrences(text: string, part: string): number {
  if (part === "") return 0;
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) count++;
  return count;
}
