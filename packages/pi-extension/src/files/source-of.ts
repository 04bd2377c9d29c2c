import { statSync } from "node:fs";
import { defined } from "@cm/object-model";
import {
  type ClientEnvironment,
  combineMappings,
  createFilesystemSource,
  detectEnvironment,
  deviceFilesystemId,
  type FilesystemSource,
  type MountMapping,
} from "@cm/sources-fs";
import type { MountSetting, Settings } from "../settings/settings.ts";
import type { AgentFiles } from "./agent-files.ts";
import { ownRules } from "./own-rules.ts";
import { containerId, SandboxContainers } from "./sandbox-container.ts";

export interface SourceOptions {
  readonly settings: Pick<Settings, "mounts" | "roots" | "ignore" | "openSecretFiles" | "agentDir" | "sources">;
  /** Of this process. */
  readonly cwd: string;
}

export interface AgentSource {
  readonly source: FilesystemSource;
  readonly containers: SandboxContainers;
  /** The file system id of what no mount of the sandbox covers; undefined outside of sandboxes. */
  readonly sandboxId?: string;
}

/**
 * The source for the files that the agent's tools work on. It asks the machine for its id and its mounts, some
 * milliseconds on the caller's thread; files are looked at in threads that start with the first question.
 * @throws CmError `source/invalid-options`, `source/invalid-mapping`
 */
export function sourceOf(files: AgentFiles, { settings, cwd }: SourceOptions): AgentSource {
  const environment = environmentWith(settings.mounts, files);
  const roots = settings.roots ?? [...new Set([cwd, "/"])];
  const told =
    files.kind === "sandbox" ? containerId(settings.sources?.containers ?? [], files.filesystemId) : undefined;
  const sandbox = files.kind === "sandbox" ? sandboxOf(files.mounts, told, environment) : undefined;
  const source = createFilesystemSource({
    roots,
    environment,
    ...defined({ sandbox }),
    ignore: {
      gitignore: "nearest",
      openSecretFiles: settings.openSecretFiles,
      rules: [...ownRules(settings.agentDir, roots), ...settings.ignore],
    },
  });
  const containers = new SandboxContainers(settings.sources?.containers ?? [], sandbox?.filesystemId);
  return { source, containers, ...defined({ sandboxId: sandbox?.filesystemId }) };
}

/** The agent's path prefixes and where they lie; without an id, on this machine. */
function sandboxOf(mounts: readonly MountSetting[], filesystemId: string | undefined, environment: ClientEnvironment) {
  const mappings = mounts.map(
    (mount): MountMapping => ({ ...mount, filesystemId: mount.filesystemId ?? environment.filesystemId }),
  );
  // SSOT 5.3: what no mount covers is the sandbox's own. Without its id, one that no file here has: such files are only
  // ever names, so that two sandboxes with equal mounts may share them.
  const source = JSON.stringify(mappings);
  const elsewhere = filesystemId ?? deviceFilesystemId({ owner: environment.filesystemId, type: "sandbox", source });
  return { filesystemId: elsewhere, mappings };
}

/**
 * Where this process itself is in a container, configured mounts with an id say what its own mounts are on their host.
 * Only for mounts that it has: others are those of a sandbox that is not in use now.
 */
function environmentWith(mounts: readonly MountSetting[], files: AgentFiles): ClientEnvironment {
  const detected = detectEnvironment();
  if (files.kind !== "host") return detected;
  const configuration = mounts.flatMap(({ filesystemId, ...mount }): readonly MountMapping[] =>
    filesystemId !== undefined && isMountPoint(mount.agentPrefix, detected) ? [{ ...mount, filesystemId }] : [],
  );
  if (configuration.length === 0) return detected;
  return { ...detected, mappings: combineMappings({ configuration, mountinfo: detected.mappings }) };
}

function isMountPoint(path: string, { mappings }: ClientEnvironment): boolean {
  if (!mappings.some(({ agentPrefix }) => agentPrefix === path)) return false;
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
