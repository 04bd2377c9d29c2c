import { resolve } from "node:path";

/** The folder the user stood in: `npm start` runs in the workspace's root, and paths are meant from the user's side. */
export function fromCaller(path: string): string {
  return resolve(process.env.CM_CALLER_FOLDER ?? process.cwd(), path);
}
