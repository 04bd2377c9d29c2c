import { posix } from "node:path";
import type { FileTouch } from "@cm/object-model";
import type { RecordedCall } from "../recordings/recording.ts";

/** How the common harnesses name the tools that work on one file, in lower case. */
const reading = new Set(["read", "read_file", "view", "notebookread"]);
const editing = new Set(["edit", "multiedit", "write", "notebookedit", "write_file", "edit_file", "str_replace"]);

/** A touched file by its recorded path: absolute and normalised. */
export type RecordedTouch = Omit<FileTouch, "binding"> & { readonly path: string };

/** The file that a recorded call touched, as its arguments name it. Only plain file tools count. */
export function fileTouches(
  call: RecordedCall,
  { cwd, failed }: { readonly cwd: string | undefined; readonly failed: boolean },
): readonly RecordedTouch[] {
  const tool = call.name.toLowerCase();
  const path = textOf(call.args, ["path", "file_path", "filePath", "notebook_path"]);
  if (failed || path === undefined || !(reading.has(tool) || editing.has(tool))) return [];
  const whole = wholePath(path, cwd);
  if (editing.has(tool)) return [{ path: whole, as: "edited" }];
  return [{ path: whole, as: "read", span: spanOf(call.args) }];
}

function spanOf(args: RecordedCall["args"]): { startLine: number; endLine?: number } {
  const startLine = Math.max(1, wholeNumber(args.offset) ?? 1);
  const limit = wholeNumber(args.limit);
  return limit === undefined || limit < 1 ? { startLine } : { startLine, endLine: startLine + limit - 1 };
}

/** Absolute and normalised, with one leading `@` taken off as Pi does. Backslashes are part of a recorded name. */
function wholePath(path: string, cwd: string | undefined): string {
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
