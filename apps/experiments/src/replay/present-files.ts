import { realpathSync } from "node:fs";
import { posix } from "node:path";
import { CmError, type JsonObject } from "@cm/object-model";
import { fileTouches, type Recording } from "@cm/recordings";
import { type ReplayFiles, replayFilesystemId } from "@cm/replay";
import {
  type ClientEnvironment,
  createFilesystemSource,
  createRedactor,
  detectEnvironment,
  discoverPaths,
  mountTable,
} from "@cm/sources-fs";
import { limits } from "../limits.ts";

/**
 * Files that are here, below a folder that stands for the one in which the session was recorded. Paths outside of it
 * are those of the recording, as ever. Looks for paths in the output of listings and searches, too.
 * @param openSecretFiles files to look at although their names are those of secrets, in gitignore syntax below the folder
 * @throws CmError `replay/usage` where there is no such folder
 */
export function presentFiles(
  { id, cwd = "/" }: Pick<Recording, "id" | "cwd">,
  root: string,
  openSecretFiles: readonly string[] = [],
): ReplayFiles {
  const environment = detectEnvironment();
  const folder = realFolder(root);
  const there = placeOf(environment, folder);
  const mapping = { agentPrefix: cwd, canonicalPrefix: there.path, filesystemId: there.filesystemId };
  const source = createFilesystemSource({
    roots: [folder],
    environment,
    ignore: { openSecretFiles },
    sandbox: { filesystemId: replayFilesystemId(id), mappings: [mapping] },
  });
  return {
    source,
    redact: createRedactor(),
    async touchesOf(call, { text, failed }) {
      const named = fileTouches(call, { cwd, text, failed });
      const seen = new Set(named.map(({ path }) => path));
      const found = discoverPaths({ tool: call.name, args: call.args as JsonObject, text, cwd })
        .filter((path) => isBelow(cwd, path) && !seen.has(path))
        .slice(0, limits.discoveredPathsMax);
      const touches = [...named, ...found.map((path) => ({ path, as: "discovered" as const }))];
      return Promise.all(touches.map(async ({ path, ...touch }) => ({ ...touch, binding: await source.bind(path) })));
    },
    close: () => source.close(),
  };
}

function placeOf({ mappings, filesystemId }: ClientEnvironment, path: string) {
  return mountTable({ mappings, defaultFilesystemId: filesystemId }).toCanonical(path);
}

function realFolder(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    throw new CmError("replay/usage", `There is no folder ${root}.`);
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = posix.relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith("../");
}
