import { occurrences } from "./tools/edit.ts";
import type { Replacement } from "./tools/tool.ts";

/** The script's facts about a file, from any text. Pure. */

const exported =
  /^export (?:default )?(?:abstract |async )?(?:class|const|enum|function\*?|interface|let|type) ([\w$]+)/;
const ownFunction = /^(?:async )?function\*? ([\w$]+)/;
const namesShown = 8;

export function isCode(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

/** A whole line that the file's language takes for a comment; undefined where there are none. */
export function commentLine(path: string, text: string): string | undefined {
  if (isCode(path) || /\.(?:go|rs|java|c|h)$/.test(path)) return `// ${text}`;
  if (/\.(?:md|html)$/.test(path)) return `<!-- ${text} -->`;
  if (/\.(?:py|sh|ya?ml)$/.test(path)) return `# ${text}`;
  return undefined;
}

export function exportedNames(text: string): readonly string[] {
  return namesOf(text, exported);
}

/** Functions at the top of a file that only the file itself calls. */
export function ownFunctions(text: string): readonly string[] {
  return namesOf(text, ownFunction);
}

/** `a, b, c and 2 more`. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, namesShown).join(", ");
  return names.length > namesShown ? `${shown} and ${names.length - namesShown} more` : shown;
}

/** One new line above the first export and its comment, or above the first line. Undefined where no place is unique. */
export function insertionAboveFirstExport(text: string, line: string): Replacement | undefined {
  const lines = text.split("\n");
  const first = Math.max(
    0,
    lines.findIndex((each) => /^export /.test(each)),
  );
  let top = first;
  while (top > 0 && /^\s*(?:\/\*|\*|\/\/)/.test(lines[top - 1] ?? "")) top--;
  const oldText = uniqueBlock(text, top, first);
  return oldText === undefined ? undefined : { oldText, newText: `${line}\n${oldText}` };
}

/** The edits that give a name another spelling wherever it stands as a word. Undefined where a place is not unique. */
export function renaming(text: string, from: string, to: string): readonly Replacement[] | undefined {
  const word = new RegExp(`(?<![\\w$])${from.replaceAll("$", "\\$")}(?![\\w$])`, "g");
  const edits: Replacement[] = [];
  let next = 0;
  for (const [index, line] of text.split("\n").entries()) {
    if (index < next || line.search(word) === -1) continue;
    const oldText = uniqueBlock(text, index, index);
    if (oldText === undefined) return undefined;
    next = index + oldText.split("\n").length;
    edits.push({ oldText, newText: oldText.replace(word, () => to) });
  }
  return edits;
}

/** The lines from first to last, and as many after them as it takes to stand only once in the text. */
function uniqueBlock(text: string, first: number, last: number): string | undefined {
  const lines = text.split("\n");
  for (let end = last + 1; end <= lines.length; end++) {
    const block = lines.slice(first, end).join("\n");
    if (occurrences(text, block) === 1) return block;
  }
  return undefined;
}

function namesOf(text: string, pattern: RegExp): readonly string[] {
  // Each once: overloads repeat their name.
  return [...new Set(text.split("\n").flatMap((line) => pattern.exec(line)?.[1] ?? []))];
}
