import { readdir } from "node:fs/promises";
import { errorCode } from "../../example/example-error.ts";
import { locate } from "../../example/tools/locate.ts";
import { done, failure, type ToolResult, type Workspace } from "../../example/tools/tool.ts";
import { limits } from "../limits.ts";

/** The names in a folder, in order; folders end in `/`. */
export async function ls(path: string, workspace: Workspace): Promise<ToolResult> {
  const located = await locate(workspace, path);
  if ("problem" in located) return failure(located.problem);
  try {
    const entries = await readdir(located.place, { withFileTypes: true });
    const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
    if (names.length === 0) return done("(empty folder)");
    const left = names.length - limits.entriesListedMax;
    const shown = names.slice(0, limits.entriesListedMax).join("\n");
    return done(left > 0 ? `${shown}\n\n[${left} more entries.]` : shown);
  } catch (error) {
    return failure(`Cannot list ${path}: ${errorCode(error) ?? "unknown error"}`);
  }
}
