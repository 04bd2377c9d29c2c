import { type FilesystemSource, mountTable } from "@cm/sources-fs";
import type { MountSetting } from "../settings/settings.ts";
import { type AgentFiles, agentFilesOf, type RegisteredTool } from "./agent-files.ts";
import type { HeardMounts } from "./mounts-message.ts";
import type { CallPlace } from "./recorded-touch.ts";
import { type SourceOptions, sourceOf } from "./source-of.ts";

export interface FilesystemOptions extends SourceOptions {
  readonly home: string;
  /** As they are now: extensions register tools at any time. */
  readonly tools: () => readonly RegisteredTool[];
  readonly mounts?: HeardMounts;
  /** Default: that of this process. */
  readonly platform?: NodeJS.Platform;
}

interface Known {
  readonly key: string;
  readonly files: AgentFiles;
  readonly place: CallPlace;
  source?: FilesystemSource;
}

/**
 * Whose files the agent's tools work on, and the source for them. It is asked again before every use, which costs
 * microseconds: a sandbox may begin or end, and its tools come, in the middle of a session.
 */
export class CurrentFiles {
  readonly #options: FilesystemOptions;
  readonly isWindows: boolean;
  #known: Known | undefined;
  #closed = false;

  constructor(options: FilesystemOptions) {
    this.#options = options;
    this.isWindows = (options.platform ?? process.platform) === "win32";
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  now(): Omit<Known, "source"> {
    return this.#now();
  }

  source(): FilesystemSource {
    const known = this.#now();
    known.source ??= sourceOf(known.files, this.#options);
    return known.source;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#known?.source?.close();
  }

  #now(): Known {
    if (this.#closed && this.#known !== undefined) return this.#known;
    const files = this.#files();
    const key = JSON.stringify([files, [...files.replaced]]);
    if (this.#known?.key === key) return this.#known;
    const before = this.#known?.source;
    this.#known = { key, files, place: placeOf(files, this.#options) };
    // Its answers are those of other files from now on.
    before?.close().catch(() => {});
    return this.#known;
  }

  #files(): AgentFiles {
    if (this.isWindows) return { kind: "unknown", replaced: new Set() };
    const { settings, tools, mounts } = this.#options;
    try {
      return agentFilesOf(tools(), { mounts: settings.mounts, heard: mounts?.heard });
    } catch {
      // Pi's session is over, and does not say any more which tools it had.
      return this.#known?.files ?? { kind: "unknown", replaced: new Set() };
    }
  }
}

function placeOf(files: AgentFiles, { cwd, home }: FilesystemOptions): CallPlace {
  if (files.kind !== "sandbox") return { cwd, home };
  return { cwd: files.cwd ?? agentCwd(cwd, files.mounts), home };
}

/** The working folder as the agent's tools have it: sandboxes mount it, mostly under another name. */
function agentCwd(cwd: string, mounts: readonly MountSetting[]): string {
  const local = mounts.filter(({ filesystemId }) => filesystemId === undefined);
  const mappings = local.map((mount) => ({ ...mount, filesystemId: "here" }));
  const table = mountTable({ mappings, defaultFilesystemId: "elsewhere" });
  return table.toAgent({ filesystemId: "here", path: cwd }) ?? cwd;
}
