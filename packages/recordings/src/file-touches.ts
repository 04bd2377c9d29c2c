import { posix } from "node:path";
import { type JsonObject, limits } from "@cm/object-model";
import { fileAction, fileActions, printedLines } from "@cm/tool-calls";
import type { RecordedCall } from "./recording.ts";

/** A touched file. */
export interface RecordedTouch {
  /** Absolute and normalised, as the agent saw it. */
  readonly path: string;
  readonly as: "read" | "edited";
  /** Lines from 1, both included; without `endLine` to the end. */
  readonly span?: { readonly startLine: number; readonly endLine?: number };
}

/** What came of a call, and where it ran. */
interface CallResult {
  readonly cwd: string | undefined;
  readonly text: string;
  readonly failed: boolean;
}

/** The files that a recorded call touched, as its arguments name them. Of what a shell command did nothing is sure. */
export function fileTouches(call: RecordedCall, { cwd, text, failed }: CallResult): readonly RecordedTouch[] {
  if (failed) return [];
  return fileActions(fileAction(call.name, call.args as JsonObject)).flatMap((action): readonly RecordedTouch[] => {
    const path = wholePath(action.path, cwd);
    // No file has such a name: the arguments are something else, or the recording is damaged.
    if (path.length > limits.sourceFieldCharsMax) return [];
    return [action.does === "read" ? { path, as: "read", span: spanOf(call.args, text) } : { path, as: "edited" }];
  });
}

/**
 * The lines that a read asked for: Pi's and Claude Code's `offset` and `limit`, or an editor's `view_range`. SWE-agent's
 * window shows others, and says which.
 */
function spanOf(args: RecordedCall["args"], text: string): { startLine: number; endLine?: number } {
  const shown = printedLines(args as JsonObject, text);
  if (shown !== undefined) return { startLine: shown.from, endLine: shown.to };
  const range = Array.isArray(args.view_range) ? args.view_range.map(wholeNumber) : [];
  const startLine = Math.max(1, range[0] ?? wholeNumber(args.offset) ?? 1);
  const limit = wholeNumber(args.limit);
  const endLine = range[1] ?? (limit === undefined || limit < 1 ? undefined : startLine + limit - 1);
  return endLine === undefined || endLine < startLine ? { startLine } : { startLine, endLine };
}

/** Absolute and normalised, with one leading `@` taken off as Pi does. Backslashes are part of a recorded name. */
function wholePath(path: string, cwd: string | undefined): string {
  const plain = path.startsWith("@") ? path.slice(1) : path;
  return posix.resolve(cwd ?? "/", plain).toWellFormed();
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}
