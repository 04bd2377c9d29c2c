import { defined } from "@cm/object-model";
import type { RecordedCall } from "../recording.ts";
import { shellWords } from "./shell-words.ts";

type Args = RecordedCall["args"];
type Tool = Omit<RecordedCall, "id">;

/**
 * The tool call in an action of SWE-agent, which is a line of its own shell. Commands of its editor are tools with named
 * arguments; those that work on the open file name it, as the agent has it in mind. Everything else is a shell command.
 */
export function actionTool(action: string, openFile: string | undefined): Tool {
  const text = action.trim();
  const name = /^[a-z_]+(?=\s|$)/.exec(text)?.[0] ?? "";
  const args = Object.hasOwn(tools, name) ? tools[name]?.(text.slice(name.length), openFile) : undefined;
  return args === undefined ? { name: "bash", args: { command: text } } : { name, args };
}

type Reader = (rest: string, openFile: string | undefined) => Args | undefined;

/** Arguments by position; a number stays a number. */
function positional(...names: readonly string[]): Reader {
  return (rest) => {
    const words = shellWords(rest);
    if (words === undefined || words.length > names.length) return undefined;
    return Object.fromEntries(words.map((word, place) => [names[place] ?? "", numberOr(word)]));
  };
}

/** The same for commands that work on the open file. */
function inOpenFile(...names: readonly string[]): Reader {
  const read = positional(...names);
  return (rest, openFile) => {
    const args = read(rest, openFile);
    return args === undefined ? undefined : { ...pathOf(openFile), ...args };
  };
}

/** An edit of the lines `N:M`, or of one text by another: SWE-agent has had both. */
const readEdit: Reader = (rest, openFile) => {
  const [, start, end, content] = /^\s*(\d+):(\d+)\s*\n([\s\S]*?)\n?(?:end_of_edit\s*)?$/.exec(rest) ?? [];
  if (content !== undefined)
    return { ...pathOf(openFile), start_line: Number(start), end_line: Number(end), new_string: content };
  const [old_string, new_string, all, ...more] = shellWords(rest) ?? [];
  if (old_string === undefined || new_string === undefined || more.length > 0) return undefined;
  return { ...pathOf(openFile), old_string, new_string, ...defined({ replace_all: all }) };
};

/** `COMMAND PATH --name value...` */
const readEditor: Reader = (rest) => {
  const [command, path, ...options] = shellWords(rest) ?? [];
  if (command === undefined || path === undefined) return undefined;
  const args: Record<string, unknown> = { command, path };
  for (let at = 0; at < options.length; ) {
    const name = /^--([a-z_]+)$/.exec(options[at] ?? "")?.[1];
    if (name === undefined || name === "__proto__") return undefined;
    const end = options.findIndex((option, place) => place > at && /^--[a-z_]+$/.test(option));
    const values = options.slice(at + 1, end < 0 ? undefined : end);
    args[name] = values.length > 1 ? values.map(numberOr) : (values[0] ?? true);
    at = end < 0 ? options.length : end;
  }
  return args;
};

const tools: Readonly<Record<string, Reader>> = {
  open: positional("path", "line_number"),
  create: positional("path"),
  find_file: positional("file_name", "dir"),
  search_dir: positional("query", "dir"),
  search_file: positional("query", "path"),
  goto: inOpenFile("line_number"),
  scroll_up: inOpenFile(),
  scroll_down: inOpenFile(),
  insert: inOpenFile("text", "line"),
  edit: readEdit,
  str_replace_editor: readEditor,
  submit: positional(),
};

function pathOf(openFile: string | undefined): { readonly path?: string } {
  return openFile === undefined ? {} : { path: openFile };
}

function numberOr(word: string): string | number {
  return /^\d{1,9}$/.test(word) ? Number(word) : word;
}
