import type { JsonObject } from "@cm/object-model";
import type { FileAction, OtherAction, ToolAction } from "./action.ts";
import { contentKeys, namedPaths, pathIn, textOf } from "./arguments.ts";
import { limits } from "./limits.ts";
import { actionShown, type CallOutput } from "./output-signs.ts";
import { patchedFiles } from "./patch-text.ts";
import { replacedTexts, singleEdits } from "./replaced-texts.ts";
import { shellAction, shellCommand } from "./shell-command.ts";
import { type ToolKind, toolKind } from "./tool-kind.ts";

/** How the known harnesses name the folder that a command runs in. */
const folderKeys = ["workdir", "cwd", "directory", "dir_path"] as const;

/**
 * Tells tools apart by what they do: by their names, for unknown names by the shape of the arguments (only an edit
 * says what it replaces) and, where the output is given, by that. A shell command that does nothing but print files
 * reads them. What is not sure is `other`: a text kept too shortly is fetched again, a wrong edit would be believed.
 */
export function toolAction(tool: string, args: JsonObject, output?: CallOutput): ToolAction {
  const named = fileAction(tool, args);
  const command = named.does === "other" && named.what !== "several" ? shellCommand(args) : undefined;
  const isShell = command !== undefined && namedPaths(args).length === 0;
  const action = isShell ? shellAction(command, textOf(args, ...folderKeys) || undefined) : named;
  return output === undefined ? action : actionShown(action, { tool, args, output });
}

/** As `toolAction`, by name and arguments alone; a shell command is a `command` whatever it prints. */
export function fileAction(tool: string, args: JsonObject): ToolAction {
  const kind = toolKind(tool, args);
  if (kind === "search" || kind === "list" || kind === "command") return { does: "other", what: kind };
  if (args.dryRun === true || args.dry_run === true || args.preview === true) return unknown;
  if (textOf(args, "owner") !== undefined && textOf(args, "repo") !== undefined) return unknown;
  return oneOrSeveral(filesOfPatch(kind, args) ?? filesNamed(kind, withoutMark(tool, args)));
}

/** Pi and what is made from it take one `@` before a path for a mark of the person's, and open what follows. */
function withoutMark(tool: string, args: JsonObject): JsonObject {
  const { path } = args;
  const isMarked = /^(?:read|edit|write)$/.test(tool) && typeof path === "string" && /^@./.test(path);
  return isMarked ? { ...args, path: path.slice(1) } : args;
}

/** The actions of a call, one for each file; none where nothing sure is known. */
export function fileActions(action: ToolAction): readonly FileAction[] {
  return action.does === "other" ? (action.files ?? []) : [action];
}

const unknown: OtherAction = { does: "other", what: "unknown" };

function oneOrSeveral(files: readonly FileAction[]): ToolAction {
  const [first] = files;
  if (first === undefined || files.length > limits.toolFilesMax) return unknown;
  return files.length === 1 ? first : { does: "other", what: "several", files };
}

/** A text that only quotes a patch is none: where nothing else says that the tool edits, it must begin as one. */
function filesOfPatch(kind: ToolKind | undefined, args: JsonObject): readonly FileAction[] | undefined {
  const patch = textOf(args, "patch", "patchText", "patch_text", "input");
  if (patch === undefined || kind === "read" || kind === "write") return undefined;
  return kind === undefined && !patch.trimStart().startsWith("*** Begin Patch") ? undefined : patchedFiles(patch);
}

function filesNamed(kind: ToolKind | undefined, args: JsonObject): readonly FileAction[] {
  const paths = namedPaths(args);
  if (kind === "read") return paths.map((path) => ({ does: "read", path }));
  if (kind === "write") return written(paths, args);
  return edited(paths, args, kind !== undefined);
}

function written([path, ...others]: readonly string[], args: JsonObject): readonly FileAction[] {
  if (path === undefined || others.length > 0) return [];
  if (textOf(args, ...contentKeys) === undefined) return edited([path], args, false);
  return [args.mode === "append" ? { does: "edit", path, replaced: [] } : { does: "write", path }];
}

/** Each edit names its file or has the call's. An unknown tool edits only where it says what it replaces. */
function edited(paths: readonly string[], args: JsonObject, isEditor: boolean): readonly FileAction[] {
  const whole = paths.length === 1 ? paths[0] : undefined;
  const replacedIn = new Map<string, string[]>(isEditor && whole !== undefined ? [[whole, []]] : []);
  for (const edit of singleEdits(args)) {
    const path = (edit === args ? undefined : pathIn(edit)) ?? whole;
    const replaced = replacedTexts(edit, isEditor);
    if (path === undefined || (!isEditor && replaced.length === 0)) continue;
    const known = replacedIn.get(path) ?? [];
    known.push(...replaced);
    replacedIn.set(path, known);
  }
  return [...replacedIn].map(([path, replaced]) => ({ does: "edit", path, replaced }));
}
