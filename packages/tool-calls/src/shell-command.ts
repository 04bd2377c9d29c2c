import type { JsonObject } from "@cm/object-model";
import type { FileAction, ToolAction } from "./action.ts";
import { listOf, textOf } from "./arguments.ts";
import { limits } from "./limits.ts";
import { patchedFiles } from "./patch-text.ts";

const shells = new Set(["bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh"]);
const searchers = /^(?:e|f|git )?grep\b|^(?:rg|ag|ack|find|fd|search_file|search_dir|find_file)\b/;
const listers = /^(?:ls|tree|du)\b/;

/** The shell command of a call; of a list of words as Codex has it, the script where a shell gets one. */
export function shellCommand(args: JsonObject): string | undefined {
  const text = textOf(args, "command", "cmd", "CommandLine");
  if (text !== undefined) return text;
  const words = listOf(args, "command", "cmd").filter((word) => typeof word === "string");
  const [shell = "", flags = "", script] = words;
  if (shells.has(shell) && /^-[a-z]*c$/.test(flags)) return script;
  return words.length === 0 ? undefined : words.join(shell === "apply_patch" ? "\n" : " ");
}

/**
 * What a shell command does: read the files that it prints, patch files, or search, list or anything. `folder` is where it
 * runs, as far as the call says that; relative names begin with it.
 */
export function shellAction(command: string, folder: string | undefined): ToolAction {
  const { base, rest } = commandInFolder(command);
  const files: readonly FileAction[] = /^apply_?patch\b/.test(rest)
    ? (patchedFiles(rest) ?? []).map((file) => ({ ...file, path: pathFrom(base, file.path) }))
    : [...new Set(pathsReadBy(command))].map((path) => ({ does: "read", path }));
  const [file, ...others] = files.map((one) => ({ ...one, path: pathFrom(folder, one.path) }));
  if (file !== undefined)
    return others.length === 0 ? file : { does: "other", what: "several", files: [file, ...others] };
  const start = rest.slice(0, limits.shellCommandCharsMax);
  return { does: "other", what: searchers.test(start) ? "search" : listers.test(start) ? "list" : "command" };
}

const pathFrom = (folder: string | undefined, path: string): string =>
  folder === undefined || /^[/~]/.test(path) ? path : `${folder.replace(/\/$/, "")}/${path.replace(/^\.\//, "")}`;

const path = "(?:\"([^\"$`]+)\"|'([^']+)'|([^\\s\"'$`;&|<>*?(){}]+))";
const quiet = "(?:\\s+2>(?:&1|/dev/null))?";
const narrowed = "(?:\\s*\\|\\s*(?:head|tail|cat|nl|sed -n)\\b[^|;&<>`$]*)*";
const folder = new RegExp(`^cd\\s+${path}\\s*&&\\s*`);
const printers = [
  `(?:cat|nl|bat)(?:\\s+-\\w+)*\\s+${path}`,
  `sed\\s+-n\\s+(?:"[^"]*"|'[^']*'|[\\w,$]+p)\\s+${path}`,
  `(?:head|tail)(?:\\s+-n?\\s*\\+?\\d+)*\\s+${path}`,
].map((printer) => new RegExp(`^${printer}${quiet}${narrowed}\\s*$`));

/** One of the commands that a script runs one after the other. */
const oneCommand = /(?:"[^"]*"|'[^']*'|2>&1|[^"';&\n])+/g;

/**
 * The file of each command in a script that prints files and does nothing else: `cat a.ts`,
 * `cd x && sed -n '1,40p' a.ts | head -20`, `cat a.ts; cat b.ts`.
 */
export function pathsReadBy(script: string): readonly string[] {
  if (script.length > limits.shellCommandCharsMax) return [];
  const { base, rest } = commandInFolder(script);
  const commands = (rest.match(oneCommand) ?? []).map((command) => command.trim()).filter((command) => command !== "");
  const paths = commands.map(pathPrinted);
  const sure = paths.flatMap((path) => path ?? []);
  return sure.length === paths.length ? sure.map((path) => pathFrom(base, path)) : [];
}

function pathPrinted(command: string): string | undefined {
  const [, ...words] = printers.map((printer) => printer.exec(command)).find((found) => found !== null) ?? [];
  return words.find((word) => word !== undefined);
}

/** A command without the change of folder before it, and that folder. */
export function commandInFolder(command: string): { readonly base: string | undefined; readonly rest: string } {
  const inside = folder.exec(command);
  if (inside === null) return { base: undefined, rest: command.trim() };
  return { base: inside[1] ?? inside[2] ?? inside[3], rest: command.slice(inside[0].length).trim() };
}
