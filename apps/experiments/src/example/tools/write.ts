import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../example-error.ts";
import { locateForWriting } from "./locate.ts";
import { done, failure, type ToolResult, type Workspace, type WriteArgs } from "./tool.ts";

/** Writes a whole file, and makes the folders that it needs. */
export async function write({ path, content }: WriteArgs, workspace: Workspace): Promise<ToolResult> {
  const located = await locateForWriting(workspace, path);
  if ("problem" in located) return failure(located.problem);
  try {
    await mkdir(dirname(located.place), { recursive: true });
    await writeFile(located.place, content);
  } catch (error) {
    return failure(`Cannot write ${path}: ${errorCode(error) ?? "unknown error"}`);
  }
  return done(`Successfully wrote to ${path}`);
}
