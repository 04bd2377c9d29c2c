import type { JsonObject, JsonValue } from "@cm/object-model";
import { pathArgument } from "../forms/target.ts";
import { pathReadBy } from "./shell-read.ts";

/**
 * What a call did, as far as the policy must know. `other` covers searches, commands and every unknown tool: its text
 * is kept for a few calls and depends on nothing.
 */
export type ToolAction =
  | { readonly does: "read"; readonly path: string }
  | { readonly does: "edit"; readonly path: string; readonly replaced: readonly string[] }
  | { readonly does: "write"; readonly path: string }
  | { readonly does: "other" };

const readNames = new Set(["read", "view", "cat", "open", "open_file", "read_file", "notebookread", "readfile"]);
const editNames = new Set(["edit", "multiedit", "multi_edit", "str_replace", "edit_file", "notebookedit", "replace"]);
const writeNames = new Set(["write", "create", "write_file", "create_file", "writefile"]);
const other: ToolAction = { does: "other" };

/**
 * Tells tools apart by what they do: names of Pi, oh-my-pi and Claude Code, an editor's sub-command, and for unknown
 * names the shape of the arguments, for only an edit says what it replaces. A shell command that does nothing but
 * print one file is a read.
 */
export function toolAction(tool: string, args: JsonObject): ToolAction {
  const path = pathArgument(args);
  const shell = textOf(args.command) ?? textOf(args.cmd);
  if (path === undefined) return shell === undefined ? other : readByShell(shell);
  const replaced = replacedTexts(args);
  if (replaced.length > 0) return { does: "edit", path, replaced };
  const name = subCommand(args) ?? lastName(tool);
  if (readNames.has(name)) return { does: "read", path };
  if (editNames.has(name)) return { does: "edit", path, replaced };
  if (writeNames.has(name) && textOf(args.content ?? args.file_text) !== undefined) return { does: "write", path };
  return other;
}

function readByShell(command: string): ToolAction {
  const path = pathReadBy(command);
  return path === undefined ? other : { does: "read", path };
}

/** The texts that an edit says it replaces, under the argument names of the known harnesses. */
function replacedTexts(args: JsonObject): readonly string[] {
  const edits = Array.isArray(args.edits) ? args.edits.filter(isObject) : [args];
  return edits.flatMap((edit) => textOf(edit.oldText ?? edit.old_string ?? edit.old_str ?? edit.old_text) ?? []);
}

/** Editors of several commands in one tool name the command beside the path. */
function subCommand(args: JsonObject): string | undefined {
  const command = textOf(args.command);
  return command !== undefined && /^[a-z_]{1,20}$/.test(command) ? command : undefined;
}

/** `mcp__files__read_file` reads like `read_file`. */
function lastName(tool: string): string {
  return tool.toLowerCase().slice(tool.lastIndexOf("__") < 0 ? 0 : tool.lastIndexOf("__") + 2);
}

const textOf = (value: JsonValue | undefined): string | undefined => (typeof value === "string" ? value : undefined);

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
