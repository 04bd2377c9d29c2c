import type { JsonObject } from "@cm/object-model";
import type { FileAction, ToolAction } from "./action.ts";
import { namedPaths, textOf } from "./arguments.ts";
import { limits } from "./limits.ts";
import { toolKind } from "./tool-kind.ts";

/** What a call gave back. Null where its text is gone. */
export interface CallOutput {
  readonly text: string | null;
  readonly status: "ok" | "fail";
}

interface Shown {
  readonly tool: string;
  readonly args: JsonObject;
  readonly output: CallOutput;
}

/** Tools as SWE-agent has them work on the file in their window, which only their output names. */
const windowed = /^(?:open|goto|scroll_up|scroll_down|edit|insert|create)$/;
const windowHead = /^\[File: ([^\n]{1,1000}?) \(\d+ lines total\)\]/m;
const refusal =
  /^(?:<tool_use_error>|\[line \d{1,9} is [\d.]{1,12}[kmg]?b, exceeds |<system-reminder>warning: the file exists but|file \S{1,1000} not found|(?:your proposed edit|your edit was not|no replacement was|string to replace|old_str|no such file|file not found|file unchanged since last read|file does not exist|file has not been read|found \d+ (?:matches|occurrences)|the user doesn't want|failed to|could not|cannot|can't|unable to|the tool execution failed|enoent|patch failed|apply_patch verification)\b|error\b)/i;
const listing =
  /^(?:here'?s the files and directories|directory listing for|\[(?:dir|file)\] |<path>[^\n]{1,1000}<\/path>\n<type>directory<)/i;
const changed = /\b(?:has been|was|successfully) (?:updated|edited|modified|replaced|patched|applied)\b/i;
/** Longer texts that begin like a refusal are files that do. */
const refusalCharsMax = 500;

/** The same action in the light of the output, which may show what an unknown tool did, or that a known one failed. */
export function actionShown(action: ToolAction, shown: Shown): ToolAction {
  const text = shown.output.text?.slice(0, limits.outputStartCharsMax).trimStart() ?? "";
  const seen = action.does === "other" ? actionSeen(action, text, shown) : action;
  if (seen.does === "other") return seen;
  if (seen.does === "read" && listing.test(text)) return { does: "other", what: "list" };
  const isShort = (shown.output.text?.length ?? 0) <= refusalCharsMax;
  const isRefused = refusal.test(text) && (seen.does !== "read" || isShort);
  return isRefused || shown.output.status === "fail" ? { ...seen, failed: true } : seen;
}

function actionSeen(action: ToolAction, text: string, { tool, args }: Shown): ToolAction {
  if (action.does !== "other" || (action.what !== "unknown" && action.what !== "command")) return action;
  const window = windowAction(text, tool, args);
  if (window !== undefined) return window;
  const [path, ...others] = namedPaths(args);
  if (path === undefined || action.what !== "unknown" || others.length > 0 || toolKind(tool, args) !== undefined)
    return action;
  if (textOf(args, "pattern", "query", "search", "regex") !== undefined) return action;
  if (isNumbered(text)) return { does: "read", path };
  const file = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  return changed.test(text) && text.includes(file) ? { does: "edit", path, replaced: [] } : action;
}

function windowAction(text: string, tool: string, args: JsonObject): FileAction | undefined {
  const name = windowed.test(tool) ? tool : /^[a-z_]{4,11}(?=\s|$)/.exec(textOf(args, "command") ?? "")?.[0];
  const path = name !== undefined && windowed.test(name) ? windowHead.exec(text)?.[1] : undefined;
  if (path === undefined) return undefined;
  if (name === "create") return { does: "write", path };
  if (name !== "edit" && name !== "insert") return { does: "read", path };
  const replaced = textOf(args, "search");
  return { does: "edit", path, replaced: replaced === undefined ? [] : [replaced] };
}

/** Three lines in a row that count up by one, as `cat -n`, `12→text`, `12: text` and `12|text` do. */
function isNumbered(text: string): boolean {
  const numbers = text
    .split("\n", 20)
    .map((line) => /^\s{0,8}(\d{1,7})(?:→|\t|: ?|\| ?|#[0-9a-zA-Z]{1,8}[:|])/.exec(line)?.[1])
    .map(Number);
  return numbers.some((number, at) => numbers[at + 1] === number + 1 && numbers[at + 2] === number + 2);
}
