import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { contextToolName } from "@cm/context-tool";
import type { Action } from "@cm/governance";
import type { JsonObject } from "@cm/object-model";
import { isCodingTool } from "../tools/coding-tools.ts";
import { realPath } from "./real-path.ts";

/** What a call of a tool is about to do, and the arguments that do exactly that. */
export interface IntendedCall {
  readonly capability: string;
  readonly actions: readonly Action[];
  /** With paths by the names that were checked, so that the tool opens what the policy was asked about. */
  readonly args: JsonObject;
  /** For tools that look at all below a folder. */
  readonly below?: string;
}

/** Undefined for tools that reach nothing outside of the session. */
export function intendedCall(tool: string, args: JsonObject, cwd: string): IntendedCall | undefined {
  if (tool === contextToolName) return contextCall(args, cwd);
  if (!isCodingTool(tool))
    return { capability: "BackendTool.Invoke", actions: [{ capability: "BackendTool.Invoke", tool }], args };
  switch (tool) {
    case "bash": {
      const command = String(args.command ?? "");
      return { capability: "Shell.Exec", actions: [{ capability: "Shell.Exec", command, cwd, tool }], args };
    }
    case "write":
    case "edit": {
      const path = placeOf(args.path, cwd);
      const size = tool === "write" ? { fileSizeBytes: Buffer.byteLength(String(args.content ?? "")) } : {};
      const actions = [{ capability: "File.Write", path, tool, ...size }];
      return { capability: "File.Write", actions, args: { ...args, path: realPath(path) ?? path } };
    }
    default:
      return readingCall(tool, args, cwd);
  }
}

function readingCall(tool: "read" | "ls" | "grep" | "find", args: JsonObject, cwd: string): IntendedCall {
  const path = placeOf(args.path ?? ".", cwd);
  const names = tool === "read" && !existsSync(path) ? namesTried(path) : [path];
  const actions = names.map((name) => ({ capability: "File.Read", path: name, tool, ...sizeOf(name) }));
  const checked = { capability: "File.Read", actions, args: { ...args, path: realPath(path) ?? path } };
  return tool === "grep" || tool === "find" ? { ...checked, below: checked.args.path } : checked;
}

/** What it shows is of the session; a path that it names is of a file all the same. */
function contextCall(args: JsonObject, cwd: string): IntendedCall | undefined {
  const named = typeof args.id === "string" ? args.id.split(/[\s,]+/) : [];
  const paths = named.filter((name) => /[/.]/.test(name) && !/^[a-z]\d+(\.input)?$/.test(name));
  if (paths.length === 0) return undefined;
  const actions = paths.map((path) => ({ capability: "File.Read", path: placeOf(path, cwd), tool: contextToolName }));
  return { capability: "File.Read", actions, args };
}

/** As Pi's tools read a path: signs that models put around it, `~`, a file's URL. */
function placeOf(path: unknown, cwd: string): string {
  const plain = String(path ?? "")
    .replace(/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, " ")
    .replace(/^@/, "");
  if (plain === "~" || plain.startsWith("~/")) return posix.resolve(homedir(), plain.slice(2));
  if (plain.startsWith("file://")) {
    try {
      return fileURLToPath(plain);
    } catch {
      return plain;
    }
  }
  return posix.resolve(cwd, plain);
}

/** Pi's `read` tries other spellings of a name that is not there: each of them has to be allowed. */
function namesTried(path: string): readonly string[] {
  const apostrophes = (text: string) => text.replaceAll("'", "\u2019");
  const parts = path.normalize("NFD");
  const names = [path, path.replace(/ (AM|PM)\./gi, "\u202F$1."), parts, apostrophes(path), apostrophes(parts)];
  return [...new Set(names)];
}

function sizeOf(path: string): { readonly fileSizeBytes?: number } {
  try {
    const stats = statSync(path);
    return stats.isFile() ? { fileSizeBytes: stats.size } : {};
  } catch {
    return {};
  }
}

/** What a person who decides is shown. */
export function summaryOf(tool: string, args: JsonObject, charsMax: number): string {
  const about = typeof args.command === "string" ? args.command : typeof args.path === "string" ? args.path : undefined;
  const text = `${tool}: ${about ?? JSON.stringify(args)}`;
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1)}\u2026`;
}
