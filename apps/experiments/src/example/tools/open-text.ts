import { readFile, stat } from "node:fs/promises";
import { errorCode } from "../example-error.ts";
import { limits } from "../limits.ts";
import { locate } from "./locate.ts";
import type { Workspace } from "./tool.ts";

export type Opened = { readonly text: string } | { readonly problem: string };

/** The text of a file in the working folder, or why there is none to be had. */
export async function openText(workspace: Workspace, path: string): Promise<Opened> {
  const located = await locate(workspace, path);
  if ("problem" in located) return located;
  const { place } = located;
  try {
    const found = await stat(place);
    if (!found.isFile()) return { problem: `Not a file: ${path}` };
    if (found.size > limits.openedBytesMax)
      return { problem: `File is larger than ${limits.openedBytesMax} bytes: ${path}` };
    const bytes = await readFile(place);
    return isBinary(bytes) ? { problem: `Not a text file: ${path}` } : { text: bytes.toString("utf8") };
  } catch (error) {
    return { problem: `Cannot read ${path}: ${errorCode(error) ?? "unknown error"}` };
  }
}

/** As most search tools tell it: text has no zero bytes. */
function isBinary(bytes: Uint8Array): boolean {
  return bytes.includes(0);
}
