import type { Observation } from "@cm/object-model";
import { type FilesystemSource, type IgnoreRules, ignoreRules, mountTable } from "@cm/sources-fs";
import type { MountSetting } from "../settings/settings.ts";
import { type AgentFiles, agentFilesOf, type RegisteredTool } from "./agent-files.ts";
import { BlockedSecretFiles } from "./blocked-secret-files.ts";
import { fileEvidenceOf } from "./file-evidence.ts";
import type { HeardMounts } from "./mounts-message.ts";
import type { CallPlace, RecordedTouch, ToolCall } from "./recorded-touch.ts";
import { type AgentSource, type SourceOptions, sourceOf } from "./source-of.ts";
import { ToolReportedFiles } from "./tool-reported-files.ts";

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
  /** What its tools told of files that no mount leads to. */
  readonly told: ToolReportedFiles;
  opened?: AgentSource;
}

/**
 * Whose files the agent's tools work on, and the source for them. It is asked again before every use, which costs
 * microseconds: a sandbox may begin or end, and its tools come, in the middle of a session.
 */
export class CurrentFiles {
  readonly #options: FilesystemOptions;
  readonly isWindows: boolean;
  readonly secrets = new BlockedSecretFiles();
  #known: Known | undefined;
  #rules: IgnoreRules | undefined;
  #closed = false;

  constructor(options: FilesystemOptions) {
    this.#options = options;
    this.isWindows = (options.platform ?? process.platform) === "win32";
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  now(): Pick<Known, "files" | "place"> {
    return this.#now();
  }

  source(): FilesystemSource {
    return this.#opened().source;
  }

  /** What a call of a sandbox's tool says of files, which may be the only evidence of them. */
  hear(call: ToolCall, touches: readonly RecordedTouch[]): void {
    const { files, told } = this.#now();
    if (files.kind !== "sandbox") return;
    for (const { path, as } of touches) {
      const said = fileEvidenceOf(call, as);
      if (said !== undefined && !this.#isClosed(path)) told.take(path, said);
    }
  }

  /** The answers of the sources, and evidence of tools where no source has an answer. */
  async observe(...[requests, ...rest]: Parameters<FilesystemSource["observe"]>): Promise<readonly Observation[]> {
    const answers = await this.#observe(requests, ...rest);
    this.secrets.hear(requests, answers);
    return answers;
  }

  async #observe(...[requests, ...rest]: Parameters<FilesystemSource["observe"]>): Promise<readonly Observation[]> {
    const { source, containers, sandboxId } = this.#opened();
    if (!containers.isEmpty) return this.#observeBoth(requests, ...rest);
    const { told } = this.#now();
    return (await source.observe(requests, ...rest)).map((answer, place) => {
      const request = requests[place];
      const isTold = answer.kind === "unreachable" && request?.binding.filesystemId === sandboxId;
      return (isTold && request !== undefined ? told.answer(request) : undefined) ?? answer;
    });
  }

  /** A source that reads the sandbox needs no evidence of tools. */
  async #observeBoth(...[requests, ...rest]: Parameters<FilesystemSource["observe"]>): Promise<readonly Observation[]> {
    const { source, containers } = this.#opened();
    const answers: Observation[] = requests.map(() => ({ kind: "unreachable", reason: "no answer" }));
    const groups = Map.groupBy(requests.keys(), (place) => {
      const { filesystemId = "", path = "" } = requests[place]?.binding ?? {};
      return containers.has(filesystemId) && !this.#isClosed(path);
    });
    const look = async ([isInside, places]: readonly [boolean, readonly number[]]): Promise<void> => {
      const own = places.flatMap((place) => requests[place] ?? []);
      const observed = await (isInside ? containers : source).observe(own, ...rest);
      for (const [index, place] of places.entries())
        answers[place] = observed[index] ?? (answers[place] as Observation);
    };
    await Promise.all([...groups].map(look));
    return answers;
  }

  /** One sentence where a container cannot be looked into at all. */
  get problem(): string | undefined {
    return this.#known?.opened?.containers.problem;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await closed(this.#known?.opened);
  }

  #opened(): AgentSource {
    const known = this.#now();
    known.opened ??= sourceOf(known.files, this.#options);
    return known.opened;
  }

  /** Files of secrets stay closed by their names in a sandbox, too. */
  #isClosed(path: string): boolean {
    const { ignore: rules, openSecretFiles } = this.#options.settings;
    this.#rules ??= ignoreRules({ roots: ["/"], gitignore: false, openSecretFiles, rules });
    return this.#rules.ignored(path) !== undefined;
  }

  #now(): Known {
    if (this.#closed && this.#known !== undefined) return this.#known;
    const files = this.#files();
    const key = JSON.stringify([files, [...files.replaced]]);
    if (this.#known?.key === key) return this.#known;
    const before = this.#known?.opened;
    this.#known = { key, files, place: placeOf(files, this.#options), told: new ToolReportedFiles() };
    // Its answers are those of other files from now on.
    closed(before).catch(() => {});
    return this.#known;
  }

  #files(): AgentFiles {
    if (this.isWindows) return { kind: "unknown", replaced: new Set() };
    const { settings, tools, mounts } = this.#options;
    try {
      const [container] = settings.sources?.containers ?? [];
      return agentFilesOf(tools(), { mounts: settings.mounts, heard: mounts?.heard, container });
    } catch {
      // Pi's session is over, and does not say any more which tools it had.
      return this.#known?.files ?? { kind: "unknown", replaced: new Set() };
    }
  }
}

async function closed(opened: AgentSource | undefined): Promise<void> {
  await Promise.all([opened?.source.close(), opened?.containers.close()]);
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
