import { posix } from "node:path";
import { importsOf } from "./imports.ts";

/**
 * The folders of `src/` from the lowest to the highest: a folder imports itself and those before it. Files directly in
 * `src/` are above all folders, except `errors.ts` and `limits.ts`, which all may import.
 */
export const folderOrders: Readonly<Record<string, readonly string[]>> = {
  session: ["input", "files", "history", "verify", "step", "lifecycle", "agent"],
  render: ["tools", "grammar", "layouts", "cost", "policies"],
};

/** A file below `src/`; its path is relative to `src/`. */
export interface FolderFile {
  readonly path: string;
  readonly text: string;
}

const ground = ["errors.ts", "limits.ts"];

/** Every import that runs against the order, one sentence each, and every folder without a place in it. */
export function folderFaults(order: readonly string[], files: readonly FolderFile[]): string[] {
  const placeOf = (path: string): number => {
    if (!path.includes("/")) return ground.includes(path) ? -1 : order.length;
    return order.indexOf(path.slice(0, path.indexOf("/")));
  };
  const unplaced = files.filter(({ path }) => path.includes("/") && placeOf(path) < 0).map(({ path }) => path);
  return [
    ...unplaced.map((path) => `${path} lies in a folder without a place in tools/folders.ts`),
    ...files.flatMap(({ path, text }) =>
      importsOf(text)
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => posix.join(posix.dirname(path), specifier))
        .filter((target) => placeOf(target) > placeOf(path))
        .map((target) => `${path} imports ${target}, which is above it`),
    ),
  ];
}
