import type { JsonObject } from "@cm/object-model";
import type { ToolAction } from "./action.ts";
import { listOf, textOf } from "./arguments.ts";
import { limits } from "./limits.ts";
import { patchedFiles } from "./patch-text.ts";

const shells = new Set(["bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh"]);
const searchers = /^(?:e|f|git )?grep\b|^(?:rg|ag|ack|find|fd|search_file|search_dir|find_file)\b/;
const listers = /^(?:ls|tree|du)\b/;
const changeOfFolder = /^cd [^\s;&|]{1,200} && /;

/** The shell command of a call; of a list of words as Codex has it, the script where a shell gets one. */
export function shellCommand(args: JsonObject): string | undefined {
  const text = textOf(args, "command", "cmd", "CommandLine");
  if (text !== undefined) return text;
  const words = listOf(args, "command", "cmd").filter((word) => typeof word === "string");
  const [shell = "", flags = "", script] = words;
  if (shells.has(shell) && /^-[a-z]*c$/.test(flags)) return script;
  return words.length === 0 ? undefined : words.join(shell === "apply_patch" ? "\n" : " ");
}

/** What a shell command does: read the one file it prints, patch files, or search, list or anything. */
export function shellAction(command: string): ToolAction {
  const start = command.slice(0, limits.shellCommandCharsMax).trimStart().replace(changeOfFolder, "");
  if (/^apply_?patch\b/.test(start)) {
    const files = command.startsWith("cd ") ? undefined : patchedFiles(command);
    const [file, ...others] = files ?? [];
    if (file === undefined) return { does: "other", what: "command" };
    return others.length === 0 ? file : { does: "other", what: "several", files: [file, ...others] };
  }
  const path = pathReadBy(command);
  if (path !== undefined) return { does: "read", path };
  return { does: "other", what: searchers.test(start) ? "search" : listers.test(start) ? "list" : "command" };
}

const path = "(?:\"([^\"$`]+)\"|'([^']+)'|([^\\s\"'$`;&|<>*?(){}]+))";
const quiet = "(?:\\s+2>(?:&1|/dev/null))?";
const narrowed = "(?:\\s*\\|\\s*(?:head|tail|cat|nl|sed -n)\\b[^|;&<>`$]*)*";
const folder = new RegExp(`^cd\\s+${path}\\s*&&\\s*`);
const printers = [
  `(?:cat|nl|bat)(?:\\s+-\\w+)*\\s+${path}`,
  `sed\\s+-n\\s+(?:"[^"]*"|'[^']*'|[\\w,$]+p)\\s+${path}`,
  `(?:head|tail)(?:\\s+-n?\\s*\\+?\\d+)*\\s+${path}`,
].map((printer) => new RegExp(`^${printer}${quiet}${narrowed}\\s*$`));

/** The file that a shell command prints and nothing else: `cat a.ts`, `cd x && sed -n '1,40p' a.ts | head -20`. */
export function pathReadBy(command: string): string | undefined {
  if (command.length > limits.shellCommandCharsMax) return undefined;
  const { base, rest } = commandInFolder(command);
  for (const printer of printers) {
    const found = printer.exec(rest);
    if (found === null) continue;
    const named = found[1] ?? found[2] ?? found[3] ?? "";
    return base === undefined || named.startsWith("/") ? named : `${base}/${named}`;
  }
  return undefined;
}

/** A command without the change of folder before it, and that folder. */
export function commandInFolder(command: string): { readonly base: string | undefined; readonly rest: string } {
  const inside = folder.exec(command);
  if (inside === null) return { base: undefined, rest: command.trim() };
  return { base: inside[1] ?? inside[2] ?? inside[3], rest: command.slice(inside[0].length).trim() };
}
