import { posix } from "node:path";
import type { ContextHost, JsonObject } from "@cm/object-model";
import { isCmError } from "@cm/object-model";
import { runTool } from "../../example/tools/run-tool.ts";
import { done, failure, type ToolResult, type Workspace } from "../../example/tools/tool.ts";
import { limits } from "../limits.ts";
import { ls } from "./ls.ts";
import { type LiveToolCall, toToolCall } from "./tool-calls.ts";

export interface ToolPlace {
  readonly workspace: Workspace;
  readonly host: Pick<ContextHost, "command" | "list">;
}

/** Runs a call of the model. Whatever it asks for, the outcome is a result that it can read. */
export async function runLiveTool(tool: string, args: JsonObject, place: ToolPlace): Promise<ToolResult> {
  const call = toToolCall(tool, args);
  if ("problem" in call) return failure(call.problem);
  switch (call.name) {
    case "ls":
      return ls(inside(call.args.path, place), place.workspace);
    case "activate":
    case "deactivate":
    case "pin":
    case "unpin":
      return moveObject(call, place);
    case "list_objects":
      return listObjects(call.args, place);
    case "bash":
      return runTool({ name: "bash", args: defined(call.args) }, place.workspace);
    case "read":
      return runTool(
        { name: "read", args: { ...defined(call.args), path: inside(call.args.path, place) } },
        place.workspace,
      );
    case "grep": {
      const { path = "." } = call.args;
      return runTool({ name: "grep", args: { ...defined(call.args), path: inside(path, place) } }, place.workspace);
    }
    case "edit":
      return runTool({ name: "edit", args: { ...call.args, path: inside(call.args.path, place) } }, place.workspace);
    case "write":
      return runTool({ name: "write", args: { ...call.args, path: inside(call.args.path, place) } }, place.workspace);
  }
}

/** The prompt names files by the folder's shown path; the disk knows them by another. */
function inside(path: string, { workspace: { shownAs } }: ToolPlace): string {
  const normal = posix.normalize(path);
  if (normal === shownAs) return ".";
  return normal.startsWith(`${shownAs}/`) ? normal.slice(shownAs.length + 1) : path;
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function defined<T extends object>(args: T): Defined<T> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined)) as Defined<T>;
}

type MoveCall = Extract<LiveToolCall, { name: "activate" | "deactivate" | "pin" | "unpin" }>;

async function moveObject({ name, args: { id } }: MoveCall, { host }: ToolPlace): Promise<ToolResult> {
  const outcome = await host.command({ action: name, id });
  if (!outcome.done) return failure(outcome.reason);
  return done(outcome.changed ? `${name}: done.` : `${name}: it was so already.`);
}

type ListArgs = Extract<LiveToolCall, { name: "list_objects" }>["args"];

async function listObjects(args: ListArgs, { host }: ToolPlace): Promise<ToolResult> {
  try {
    const { objects, next } = await host.list({ ...defined(args), limit: limits.objectsListedMax });
    if (objects.length === 0) return done("Nothing matches.");
    const lines = objects.map(({ alias, kind, path, tool, charCount, level, pinned }) =>
      [
        alias,
        kind,
        JSON.stringify(path ?? tool ?? ""),
        `${charCount ?? 0} chars`,
        level,
        ...(pinned ? ["pinned"] : []),
      ].join(" "),
    );
    return done(next === undefined ? lines.join("\n") : `${lines.join("\n")}\n\n[More with cursor=${next}.]`);
  } catch (error) {
    if (isCmError(error, "session/invalid-input")) return failure(error.message);
    throw error;
  }
}
