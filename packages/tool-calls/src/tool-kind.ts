import type { JsonObject } from "@cm/object-model";
import { textOf } from "./arguments.ts";
import { limits } from "./limits.ts";

/** What a tool's name promises. `patch`: an edit whose text names its files itself. */
export type ToolKind = "read" | "edit" | "write" | "patch" | "search" | "list" | "command";

/**
 * Names of Pi, oh-my-pi, Claude Code, SWE-agent, OpenHands, Codex, Gemini CLI, Cline, Roo, Cursor, opencode and of the
 * common MCP servers (decision 0057), without underscores and hyphens and in lower case.
 */
const names: Readonly<Record<ToolKind, string>> = {
  read: `read view cat open openfile readfile readfiles readtextfile readmanyfiles readmultiplefiles readfilecontent
    notebookread viewfile fsread hashread getfilecontents goto scrollup scrolldown`,
  edit: `edit multiedit strreplace searchreplace searchandreplace replace replaceinfile editfile editblock modifyfile
    notebookedit editnotebook insert insertcontent insertintofile insertline insertlines appendfile replacelines
    deletelines undoedit hashedit hashlineedit changefile fuzzyedit smartedit replacesymbolbody insertaftersymbol
    insertbeforesymbol replaceregex replacecontent`,
  write: "write create writefile createfile writetofile createtextfile createnewfile savefile overwritefile",
  patch: "applypatch patch applydiff patchfile editpatch",
  search: `grep glob rg ripgrep search find findfile findfiles searchfile searchfiles searchdir searchcode searchtext
    searchfilecontent searchforpattern grepsearch filesearch codebasesearch semanticsearch astgrep findsymbol
    findreferencingsymbols findbyname websearch googlewebsearch toolsearch sessionsearch`,
  list: `ls list listdir listdirectory listdirectorywithsizes listfiles listfolder directorytree tree viewdirectory
    listcodedefinitionnames listalloweddirectories getsymbolsoverview readfolder`,
  command: `bash shell sh exec execcommand executecommand runcommand runshellcommand runterminalcmd runinterminal
    executebash localshell terminal powershell containerexec runcode executepython ipython startprocess`,
};

const kinds = new Map<string, ToolKind>(
  (Object.keys(names) as ToolKind[]).flatMap((kind) =>
    names[kind].split(/\s+/).map((name): [string, ToolKind] => [name, kind]),
  ),
);

/**
 * The kind that a name promises, undefined for names without known users. An editor of several commands names
 * the command beside the path, `mcp__files__read_file` and `files_read_file` read like `read_file`.
 */
export function toolKind(tool: string, args: JsonObject): ToolKind | undefined {
  const command = textOf(args, "command");
  const said = command !== undefined && /^[a-z_]{1,20}$/.test(command) ? kinds.get(plain(command)) : undefined;
  const isEditor = said === "read" || said === "edit" || said === "write";
  return isEditor && kindOfName(tool) !== "command" ? said : kindOfName(tool);
}

function kindOfName(tool: string): ToolKind | undefined {
  if (tool.length > limits.toolNameCharsMax) return undefined;
  const last = /(?:__|[.:/])?((?:(?!__)[^.:/])*)$/.exec(tool)?.[1] ?? "";
  const whole = kinds.get(plain(last));
  if (whole !== undefined) return whole;
  const words = last.split("_");
  // A server's name in front: only names of two words and more are told from an ending by chance.
  for (let from = 1; from <= words.length - 2; from += 1) {
    const kind = kinds.get(plain(words.slice(from).join("")));
    if (kind !== undefined) return kind;
  }
  return undefined;
}

const plain = (name: string): string => name.replace(/[_-]/g, "").toLowerCase();
