import { posix } from "node:path";
import type { FileTouch } from "@cm/object-model";
import type { RecordedCall } from "../recordings/recording.ts";

/** How the common harnesses name the tools that work on one file, in lower case. */
const reading = new Set(["read", "read_file", "view", "notebookread"]);
const editing = new Set(["edit", "multiedit", "write", "notebookedit", "write_file", "edit_file", "str_replace"]);

/**
 * The file that a recorded call touched, as its arguments name it. Only plain file tools count: what a shell command
 * or a search printed cannot be confirmed where the files are not there.
 */
export function fileTouches(
  call: RecordedCall,
  {
    cwd,
    filesystemId,
    failed,
  }: { readonly cwd: string | undefined; readonly filesystemId: string; readonly failed: boolean },
): readonly FileTouch[] {
  const tool = call.name.toLowerCase();
  const path = textOf(call.args, ["path", "file_path", "filePath", "notebook_path"]);
  if (failed || path === undefined || !(reading.has(tool) || editing.has(tool))) return [];
  const binding = { type: "filesystem", filesystemId, path: canonicalPath(path, cwd) } as const;
  if (editing.has(tool)) return [{ binding, as: "edited" }];
  return [{ binding, as: "read", span: spanOf(call.args) }];
}

function spanOf(args: RecordedCall["args"]): { startLine: number; endLine?: number } {
  const startLine = Math.max(1, wholeNumber(args.offset) ?? 1);
  const limit = wholeNumber(args.limit);
  return limit === undefined || limit < 1 ? { startLine } : { startLine, endLine: startLine + limit - 1 };
}

/** Absolute and normalised, with one leading `@` taken off as Pi does. Backslashes are part of a recorded name. */
function canonicalPath(path: string, cwd: string | undefined): string {
  const plain = path.startsWith("@") ? path.slice(1) : path;
  return posix.resolve(cwd ?? "/", plain).toWellFormed();
}

function textOf(args: RecordedCall["args"], names: readonly string[]): string | undefined {
  const values = names.map((name) => (Object.hasOwn(args, name) ? args[name] : undefined));
  return values.find((value): value is string => typeof value === "string" && value !== "");
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}
