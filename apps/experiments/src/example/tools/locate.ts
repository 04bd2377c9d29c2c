import { lstat, realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { errorCode } from "../example-error.ts";
import type { Workspace } from "./tool.ts";

/** The target of a path, or the reason for a refusal, in words that name nothing of the machine. */
export type Located = { readonly place: string } | { readonly problem: string };

/** The real place of a file or folder that exists inside the working folder. */
export async function locate(workspace: Workspace, path: string): Promise<Located> {
  const outside = { problem: `Path is outside the working folder: ${path}` };
  // This check comes before any disk access, so that the existence of files outside stays hidden.
  if (!isInside(workspace.root, resolve(workspace.root, path))) return outside;
  try {
    const place = await realpath(resolve(workspace.root, path));
    return isInside(workspace.root, place) ? { place } : outside;
  } catch (error) {
    return { problem: errorCode(error) === "ENOENT" ? `File not found: ${path}` : `Path cannot be opened: ${path}` };
  }
}

/** The same for a file that need not exist yet; its folders need not either. */
export async function locateForWriting(workspace: Workspace, path: string): Promise<Located> {
  const wanted = resolve(workspace.root, path);
  const found = await locate(workspace, path);
  if ("place" in found || (await exists(wanted))) return found;
  let parent = dirname(wanted);
  while (isInside(workspace.root, parent) && !(await exists(parent))) parent = dirname(parent);
  const above = await locate(workspace, parent);
  return "place" in above ? { place: resolve(above.place, relative(parent, wanted)) } : found;
}

/** Also true of a link that leads nowhere: writing through it would make a file wherever it points. */
async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
