import { posix } from "node:path";
import { type ContextToolHost, contextToolName, runContextTool } from "@cm/context-tool";
import { defined, type JsonObject } from "@cm/object-model";
import { runTool } from "../../example/tools/run-tool.ts";
import { failure, type ToolResult, type Workspace } from "../../example/tools/tool.ts";
import { ls } from "./ls.ts";
import { toToolCall } from "./tool-calls.ts";

export interface ToolPlace {
  readonly workspace: Workspace;
  readonly host: ContextToolHost;
}

export type LiveToolResult = Pick<ToolResult, "text" | "failed"> & {
  /** Objects whose kept text it brings back. */
  readonly shows?: readonly string[];
};

/** Runs a call of the model. Whatever it asks for, the outcome is a result that it can read. */
export async function runLiveTool(tool: string, args: JsonObject, place: ToolPlace): Promise<LiveToolResult> {
  if (tool === contextToolName) return runContextTool(place.host, args, { cwd: place.workspace.shownAs });
  const call = toToolCall(tool, args);
  if ("problem" in call) return failure(call.problem);
  switch (call.name) {
    case "ls":
      return ls(inside(call.args.path, place), place.workspace);
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
