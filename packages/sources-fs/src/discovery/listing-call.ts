import { posix } from "node:path";
import type { JsonObject } from "@cm/object-model";
import { discoveryLimits } from "../limits.ts";

/**
 * What an output may hold. `names`: a path or a name on each line. `tree`: names under each other. `matches`: a path,
 * then a line of it. `git`: what git says of files. `words`: anything, in which some words look like paths.
 */
export type OutputForm = "names" | "tree" | "matches" | "git" | "words";

export interface ListingCall {
  readonly forms: ReadonlySet<OutputForm>;
  /** Absolute folders that names in the output may be relative to, the likeliest first. */
  readonly folders: readonly string[];
}

/** By names that come from a model: what every object has, such as `constructor`, is none of them. */
const formsOf = (forms: Readonly<Record<string, OutputForm>>): ReadonlyMap<string, OutputForm> =>
  new Map(Object.entries(forms));

const formOfTool = formsOf({
  ls: "names",
  list: "names",
  list_dir: "names",
  list_directory: "names",
  list_directory_with_sizes: "names",
  list_files: "names",
  listdirectory: "names",
  glob: "names",
  find: "names",
  find_file: "names",
  find_files: "names",
  file_search: "names",
  search_files: "names",
  tree: "tree",
  directory_tree: "tree",
  grep: "matches",
  grep_search: "matches",
  rg: "matches",
  search: "matches",
  search_dir: "matches",
  search_file_content: "matches",
});

/** Their output is text of files or of the network, which names anything. */
const readers =
  /^(?:read|view|cat|open|write|edit|multiedit|notebookedit|read_.*|write_.*|edit_.*|web_?.*|fetch.*|todo.*)$/;

const formOfCommand = formsOf({
  ls: "names",
  dir: "names",
  exa: "names",
  eza: "names",
  find: "names",
  fd: "names",
  fdfind: "names",
  locate: "names",
  realpath: "names",
  tree: "tree",
  grep: "matches",
  egrep: "matches",
  fgrep: "matches",
  rg: "matches",
  ag: "matches",
  ack: "matches",
  git: "git",
});

const printsNamesAlone = new Set(["ls", "dir", "exa", "eza", "tree"]);

/** The kind of a call's listing, from its name and arguments; undefined for calls with text output. */
export function listingCall({
  tool,
  args,
  cwd,
}: {
  readonly tool: string;
  readonly args: JsonObject;
  readonly cwd: string;
}): ListingCall | undefined {
  const name = /[^.:/]*$/.exec(tool.slice(-100).replaceAll("__", "/"))?.[0].toLowerCase() ?? "";
  const command = textOf(args, ["command", "cmd", "script"]);
  if (command !== undefined) return fromCommand(command, cwd);
  const path = textOf(args, ["path", "dir", "directory", "folder", "dir_path", "root"]);
  const folders = path === undefined ? [cwd] : [posix.resolve(cwd, path), cwd];
  const form = formOfTool.get(name);
  if (form !== undefined) return { forms: new Set([form]), folders };
  return readers.test(name) && name !== "view" ? undefined : { forms: new Set(["words"]), folders };
}

function textOf(args: JsonObject, names: readonly string[]): string | undefined {
  const values = names.map((name) => args[name]);
  // Some harnesses give the command as a list of words.
  const value = values.find(
    (one) => typeof one === "string" || (Array.isArray(one) && one.every((part) => typeof part === "string")),
  );
  return Array.isArray(value) ? value.join(" ") : typeof value === "string" ? value : undefined;
}

function fromCommand(command: string, cwd: string): ListingCall {
  const forms = new Set<OutputForm>();
  const folders: string[] = [];
  let at = cwd;
  for (const part of command.slice(0, discoveryLimits.commandCharsMax).split(/&&|\|\||[;|\n]/)) {
    const words = wordsOf(part);
    const program = posix.basename(words[0] ?? "");
    const operands = words.slice(1).filter((word) => !word.startsWith("-"));
    if (program === "cd") {
      at = posix.resolve(at, operands[0] ?? ".");
      folders.unshift(at);
      continue;
    }
    const form = formOfCommand.get(program);
    if (form === undefined) continue;
    forms.add(form);
    // `find` and `grep` print the folder with the name; these print the name alone.
    if (printsNamesAlone.has(program)) folders.push(...operands.map((operand) => posix.resolve(at, operand)));
  }
  if (forms.size === 0) forms.add("words");
  return { forms, folders: [...new Set([...folders, cwd])].slice(0, discoveryLimits.foldersMax) };
}

/** The words of a simple command, without quotes, assignments in front and prefixes such as `sudo`. */
function wordsOf(part: string): readonly string[] {
  const words = (part.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).map((word) => word.replace(/^["']|["']$/g, ""));
  const first = words.findIndex((word) => !/^(?:\w+=.*|sudo|command|time|env|\()$/.test(word));
  return first < 0 ? [] : words.slice(first);
}
