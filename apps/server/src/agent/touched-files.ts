import { homedir } from "node:os";
import { posix } from "node:path";
import type { FileTouch } from "@cm/context-log";
import { contextToolName } from "@cm/context-tool";
import { defined, type FilesystemBinding, type JsonObject } from "@cm/object-model";
import { discoverPaths } from "@cm/sources-fs";
import { fileActions, toolAction } from "@cm/tool-calls";
import { limits } from "../limits.ts";

/** A call that is over, with what its tool said. */
export interface FinishedCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly text: string;
  readonly failed: boolean;
  /** What Pi's tools say of their own output. */
  readonly details?: unknown;
}

interface Touch extends Pick<FileTouch, "as" | "span"> {
  readonly path: string;
}

export type BindAll = (paths: readonly string[]) => Promise<readonly FilesystemBinding[]>;

/**
 * The files that a call touched: those that its arguments name, else those that a listing or a search found. A read that
 * failed touches nothing; an edit that failed names its file all the same.
 */
export async function touchedFiles(call: FinishedCall, cwd: string, bindAll: BindAll): Promise<readonly FileTouch[]> {
  if (call.tool === contextToolName) return [];
  const touches = onePerPath(namedFiles(call, cwd) ?? foundFiles(call, cwd)).slice(0, limits.touchesPerCallMax);
  const bindable = touches.filter(({ path }) => path.length <= limits.pathCharsMax && !path.includes("\0"));
  if (bindable.length === 0) return [];
  const bindings = await bindAll(bindable.map(({ path }) => path));
  return bindable.flatMap(({ path: _path, ...touch }, place) => {
    const binding = bindings[place];
    return binding === undefined ? [] : [{ ...touch, binding }];
  });
}

function namedFiles(call: FinishedCall, cwd: string): readonly Touch[] | undefined {
  const { tool, args, text, failed } = call;
  const actions = fileActions(toolAction(tool, args, { text, status: failed ? "fail" : "ok" }));
  if (actions.length === 0) return undefined;
  return actions.flatMap(({ does, path, failed: saysFailed = false }): readonly Touch[] => {
    const isFailed = failed || saysFailed;
    const place = absolute(path, cwd);
    if (does !== "read") return [{ path: place, as: isFailed ? "discovered" : "edited" }];
    return isFailed ? [] : [{ path: place, as: "read", ...(tool === "read" ? spanOfRead(call) : {}) }];
  });
}

const foundFiles = ({ tool, args, text }: FinishedCall, cwd: string): readonly Touch[] =>
  discoverPaths({ tool, args, text, cwd }).map((path) => ({ path: absolute(path, cwd), as: "discovered" }));

/** Under the name that the file has: none on disk has half of a surrogate pair. */
const absolute = (path: string, cwd: string): string =>
  posix.resolve(cwd, path === "~" || path.startsWith("~/") ? `${homedir()}${path.slice(1)}` : path).toWellFormed();

/** Lines that Pi's `read` showed: its details say where it cut, and a remark at the end where a limit did. */
function spanOfRead({ args, text, details }: FinishedCall): Pick<Touch, "span"> {
  const startLine = Math.max(1, Math.floor(Number(args.offset ?? 1)) || 1);
  const truncation = (details as { truncation?: { truncated?: boolean; outputLines?: number } } | undefined)
    ?.truncation;
  const isMore = /\n\n\[\d+ more lines in file\. Use offset=\d+ to continue\.\]$/.test(text.slice(-256));
  const shown =
    truncation?.truncated === true ? truncation.outputLines : isMore ? Math.floor(Number(args.limit)) : undefined;
  const endLine = shown === undefined || !Number.isSafeInteger(shown) ? undefined : startLine + shown - 1;
  if (text.startsWith("Read image file [") || (endLine !== undefined && endLine < startLine)) return {};
  return { span: { startLine, ...defined({ endLine }) } };
}

/** The strongest touch of each path; among equals the first. */
function onePerPath(touches: readonly Touch[]): readonly Touch[] {
  const byPath = new Map<string, Touch>();
  for (const touch of touches) {
    const earlier = byPath.get(touch.path);
    if (earlier === undefined || earlier.as === "discovered") byPath.set(touch.path, touch);
  }
  return [...byPath.values()];
}
