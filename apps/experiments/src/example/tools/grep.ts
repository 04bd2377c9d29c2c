import { readdir, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { limits } from "../limits.ts";
import { locate } from "./locate.ts";
import { openText } from "./open-text.ts";
import { done, failure, type GrepArgs, type ToolResult, type Workspace } from "./tool.ts";
import { keepHead, sizeText } from "./truncate.ts";

/** Lists the lines that match, as `file:line: text`, in the order of paths. Needs no program but this one. */
export async function grep(args: GrepArgs, workspace: Workspace): Promise<ToolResult> {
  const pattern = toPattern(args.pattern);
  if (pattern === undefined) return failure(`Not a regular expression: ${args.pattern}`);
  const located = await locate(workspace, args.path ?? ".");
  if ("problem" in located) return failure(located.problem);
  const limit = Math.max(1, args.limit ?? limits.matchesDefault);
  const matches: string[] = [];
  let cut = false;
  for (const { file, shown } of await searchedFiles(located.place)) {
    const opened = await openText(workspace, file);
    if ("problem" in opened) continue;
    for (const [index, line] of opened.text.split("\n").entries()) {
      if (matches.length === limit) break;
      if (!pattern.test(line.slice(0, limits.searchedLineCharsMax))) continue;
      cut ||= line.length > limits.matchLineCharsMax;
      matches.push(`${shown}:${index + 1}: ${shortened(line)}`);
    }
    if (matches.length === limit) break;
  }
  return toResult(matches, { limit, cut });
}

function toPattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}

interface SearchedFile {
  readonly file: string;
  /** Relative to where the search began, as ripgrep has it. */
  readonly shown: string;
}

/** Links are not followed, and what begins with a dot is left out. */
async function searchedFiles(place: string): Promise<readonly SearchedFile[]> {
  if ((await stat(place)).isFile()) return [{ file: place, shown: basename(place) }];
  const entries = await readdir(place, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, shown: relative(place, file).replaceAll(sep, "/") }))
    .filter(({ shown }) => !shown.split("/").some((name) => name.startsWith(".") || name === "node_modules"))
    .sort((a, b) => (a.shown < b.shown ? -1 : 1))
    .slice(0, limits.filesMax);
}

function shortened(line: string): string {
  const text = line.replaceAll("\r", "");
  return text.length > limits.matchLineCharsMax ? `${text.slice(0, limits.matchLineCharsMax)}... [truncated]` : text;
}

function toResult(matches: readonly string[], { limit, cut }: { limit: number; cut: boolean }): ToolResult {
  if (matches.length === 0) return done("No matches found");
  const { lines, by } = keepHead(matches);
  const notices: string[] = [];
  if (matches.length === limit) {
    notices.push(`${limit} matches limit reached. Use limit=${limit * 2} for more, or refine pattern`);
  }
  if (by !== undefined) notices.push(`${sizeText(limits.shownBytesMax)} limit reached`);
  if (cut) notices.push(`Some lines truncated to ${limits.matchLineCharsMax} chars. Use read tool to see full lines`);
  return done(notices.length === 0 ? lines.join("\n") : `${lines.join("\n")}\n\n[${notices.join(". ")}]`);
}
