import { posix } from "node:path";
import { importsOf } from "./imports.ts";

/** The folders of `src/` from the lowest to the highest: a folder imports itself and those before it. */
export interface FolderOrder {
  readonly folders: readonly string[];
  /** Files directly in `src/` that are above all folders; the other ones there, below. Default: all of them, without `ground`. */
  readonly roof?: readonly string[];
}

/** By the name below `packages/`, or by the path of an app. */
export const folderOrders: Readonly<Record<string, FolderOrder>> = {
  // The contracts of policies and renderers stand directly in `src/`, and all else follows from them.
  "context-log": {
    folders: ["sets", "objects", "path", "cost", "keyframe", "state", "reducer", "views", "request"],
    roof: ["index.ts", "state.ts"],
  },
  "step-log": { folders: ["path", "keyframe", "state", "past", "verify"], roof: ["index.ts", "load.ts", "verify.ts"] },
  session: { folders: ["input", "files", "step", "lifecycle", "agent"] },
  render: { folders: ["layouts", "policies"] },
  replay: { folders: ["results", "generate", "summary", "measure", "policies", "files", "calls"] },
  exchange: { folders: ["journal", "batch", "import", "export"] },
  "apps/server": {
    folders: ["agent", "events", "tools", "presets", "store", "governance", "runs", "http"],
    roof: ["index.ts", "client.ts", "cm-server.ts", "command-line.ts", "server.ts"],
  },
  // A command may use every part; a part uses no command.
  "apps/experiments": {
    folders: ["progress", "check", "replay", "example", "live", "report", "compare", "commands"],
    roof: ["cli.ts"],
  },
};

/** A file below `src/`; its path is relative to `src/`. */
export interface FolderFile {
  readonly path: string;
  readonly text: string;
}

/** Files directly in `src/` that all may import. */
const ground = ["errors.ts", "limits.ts"];

/** Every import that runs against the order, one sentence each, and every folder without a place in it. */
export function folderFaults({ folders, roof }: FolderOrder, files: readonly FolderFile[]): string[] {
  const isAbove = (path: string): boolean => (roof === undefined ? !ground.includes(path) : roof.includes(path));
  const placeOf = (path: string): number => {
    if (!path.includes("/")) return isAbove(path) ? folders.length : -1;
    return folders.indexOf(path.slice(0, path.indexOf("/")));
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

/** Files that import each other in a circle, types included: each circle once, from its first file on. */
export function circlesOf(files: readonly FolderFile[]): string[] {
  const imports = new Map(
    files.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => posix.join(posix.dirname(path), specifier)),
    ]),
  );
  const circles: string[] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (path: string): void => {
    const start = way.indexOf(path);
    if (start >= 0) circles.push([...way.slice(start), path].join(" -> "));
    if (start >= 0 || done.has(path)) return;
    way.push(path);
    for (const target of imports.get(path) ?? []) visit(target);
    way.pop();
    done.add(path);
  };
  for (const { path } of files) visit(path);
  return circles;
}
