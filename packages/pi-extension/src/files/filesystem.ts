import { posix } from "node:path";
import { type FilesystemBinding, type FileTouch, isCmError, type Source } from "@cm/object-model";
import { createRedactor, type FilesystemSource, mountTable, type Redactor } from "@cm/sources-fs";
import type { MountSetting } from "../settings/settings.ts";
import { type AgentFiles, agentFilesOf, isFollowed, type RegisteredTool, unknownFilesNotice } from "./agent-files.ts";
import { fileTouchLimits as limits } from "./file-limits.ts";
import type { HeardMounts } from "./mounts-message.ts";
import type { CallPlace, RecordedTouch, ToolCall } from "./recorded-touch.ts";
import { type SourceOptions, sourceOf } from "./source-of.ts";
import { onePerPath, touchesOf } from "./touches-of-call.ts";

export interface FilesystemOptions extends SourceOptions {
  readonly home: string;
  /** As they are now: extensions register tools at any time. */
  readonly tools: () => readonly RegisteredTool[];
  readonly mounts?: HeardMounts;
  /** Default: that of this process. */
  readonly platform?: NodeJS.Platform;
}

/** The files of one Pi session. Nothing is asked of the machine before the first question, and no thread runs. */
export interface SessionFilesystem {
  /** For `openSession`. Where nobody knows whose files the tools work on, everything is `unreachable`. */
  readonly source: Source<FilesystemBinding>;
  /** For `openSession`; also for whatever else is kept of outputs. */
  readonly redact: Redactor;
  /** One sentence for the user where files cannot be followed, as it is now: show it once. */
  readonly notice: string | undefined;
  /** The files that a call touched, by their paths; none where its tool is not followed. Waits for nothing. */
  touched(call: ToolCall): readonly RecordedTouch[];
  /** The same as bindings, for a result of the session. A path that cannot be bound is left out. Never rejects. */
  bind(touches: readonly RecordedTouch[]): Promise<readonly FileTouch[]>;
  /** Undefined where it is no path of a file that can be followed. */
  bindPath(agentPath: string): Promise<FilesystemBinding | undefined>;
  /** Where relative paths of the agent's calls count from now. */
  readonly place: CallPlace;
  close(): Promise<void>;
}

interface Current {
  readonly key: string;
  readonly files: AgentFiles;
  readonly place: CallPlace;
  /** Whether a path lies where a mount leads; without mounts, any does. */
  readonly isCovered: (path: string) => boolean;
  source?: FilesystemSource;
}

export function openFilesystem(options: FilesystemOptions): SessionFilesystem {
  const { platform = process.platform } = options;
  let current: Current | undefined;
  let isClosed = false;

  /** Asked again before every use: a sandbox may begin or end, and its tools come, in the middle of a session. */
  function now(): Current {
    const files = filesNow();
    const key = JSON.stringify([files, [...files.replaced]]);
    if (current?.key === key) return current;
    const before = current?.source;
    current = { key, files, ...placeOf(files, options) };
    // Its answers are those of other files from now on.
    before?.close().catch(() => {});
    return current;
  }

  function filesNow(): AgentFiles {
    const { settings, tools, mounts } = options;
    if (platform === "win32") return { kind: "unknown", replaced: new Set() };
    return agentFilesOf(tools(), { mounts: settings.mounts, heard: mounts?.heard });
  }

  function source(): FilesystemSource {
    const at = now();
    at.source ??= sourceOf(at.files, options);
    return at.source;
  }

  async function bindPath(agentPath: string): Promise<FilesystemBinding | undefined> {
    const { files, isCovered, place } = now();
    if (isClosed || files.kind === "unknown") return undefined;
    try {
      if (!isCovered(posix.resolve(place.cwd, agentPath))) return undefined;
      return await source().bind(agentPath, place.cwd);
    } catch (error) {
      if (isCmError(error)) return undefined;
      throw error;
    }
  }

  const unreachable = (reason: string) => ({ kind: "unreachable", reason }) as const;

  return {
    source: {
      contract: "source/1",
      type: "filesystem",
      parseBinding: (value) => source().parseBinding(value),
      describe: (binding) => source().describe(binding),
      observe: async (requests, bounds, signal) => {
        if (isClosed) return requests.map(() => unreachable("closed"));
        if (now().files.kind === "unknown") return requests.map(() => unreachable("file system not known"));
        return source().observe(requests, bounds, signal);
      },
      checkouts: async () => (isClosed || now().files.kind === "unknown" ? [] : source().checkouts()),
    },
    redact: createRedactor(),
    get notice() {
      if (platform === "win32") return "Context Manager follows no files on Windows; it does in WSL.";
      return unknownFilesNotice(now().files);
    },
    touched: (call) => {
      const { files, place } = now();
      return isFollowed(files, call.tool) ? touchesOf(call, place) : [];
    },
    bind: async (touches) => {
      const bound = await Promise.all(
        onePerPath(touches)
          .slice(0, limits.touchesPerCallMax)
          .map(async ({ path, ...touch }): Promise<readonly FileTouch[]> => {
            const binding = await bindPath(path);
            return binding === undefined ? [] : [{ ...touch, binding }];
          }),
      );
      return bound.flat();
    },
    bindPath,
    get place() {
      return now().place;
    },
    close: async () => {
      isClosed = true;
      await current?.source?.close();
    },
  };
}

function placeOf(files: AgentFiles, { cwd, home }: FilesystemOptions): Pick<Current, "place" | "isCovered"> {
  if (files.kind !== "sandbox") return { place: { cwd, home }, isCovered: () => true };
  const mappings = files.mounts.map((mount) => ({ ...mount, filesystemId: mount.filesystemId ?? "here" }));
  const table = mountTable({ mappings, defaultFilesystemId: "elsewhere" });
  return {
    place: { cwd: files.cwd ?? agentCwd(cwd, files.mounts), home },
    isCovered: (path) => table.toCanonical(path).mapped,
  };
}

/** The working folder as the agent's tools have it: sandboxes mount it, mostly under another name. */
function agentCwd(cwd: string, mounts: readonly MountSetting[]): string {
  const mappings = mounts.flatMap((mount) =>
    mount.filesystemId === undefined ? [{ ...mount, filesystemId: "here" }] : [],
  );
  return mountTable({ mappings, defaultFilesystemId: "elsewhere" }).toAgent({ filesystemId: "here", path: cwd }) ?? cwd;
}
