import { realpathSync } from "node:fs";
import { posix } from "node:path";
import type { FileTouch } from "@cm/context-log";
import { CmError, type FilesystemBinding, type JsonObject, type Source, sha256 } from "@cm/object-model";
import type { RecordedCall, RecordedResult, Recording } from "@cm/recordings";
import {
  type ClientEnvironment,
  createFilesystemSource,
  createRedactor,
  detectEnvironment,
  discoverPaths,
  mountTable,
  type Redactor,
} from "@cm/sources-fs";
import { limits } from "../limits.ts";
import { fileTouches } from "./file-touches.ts";

/** The files of a replayed session: who looks at them, and which of them a call touched. */
export interface ReplayFiles {
  readonly source: Source<FilesystemBinding>;
  /** For files that are on no file system. */
  readonly furtherSources?: readonly Source[];
  /** Only where real files are looked at: a recording by itself is replayed to the letter. */
  readonly redact?: Redactor;
  /** @param call the call that the result answers */
  touchesOf(call: RecordedCall, result: Pick<RecordedResult, "text" | "failed">): Promise<readonly FileTouch[]>;
  close(): Promise<void>;
}

/** Replayed paths belong to a filesystem of their own, so that no real file is ever taken for one of them. */
export function replayFilesystemId(recordingId: string): string {
  return sha256(`replay:${recordingId}`);
}

/** Files of another machine: they are unreachable, which differs from absent. */
export function absentFiles({ id, cwd }: Pick<Recording, "id" | "cwd">): ReplayFiles {
  const filesystemId = replayFilesystemId(id);
  const source = createFilesystemSource({ roots: [], sandbox: { filesystemId, mappings: [] } });
  return {
    source,
    async touchesOf(call, { failed }) {
      return fileTouches(call, { cwd, failed }).map(({ path, ...touch }) => ({
        ...touch,
        binding: bound(path, filesystemId),
      }));
    },
    close: () => source.close(),
  };
}

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
      const named = fileTouches(call, { cwd, failed });
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

function bound(path: string, filesystemId: string): FilesystemBinding {
  return { type: "filesystem", filesystemId, path };
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
