import type { DiscoverPrefix } from "@cm/session";
import type { StoreAddress } from "@cm/store-place";
import type { SourceSettings } from "./source-setting.ts";

export type StoreSetting = StoreAddress;

/** One mount of the agent's file system, as it was written. Both prefixes are absolute. */
export interface MountSetting {
  readonly agentPrefix: string;
  readonly canonicalPrefix: string;
  /** Absent: the canonical prefix is a folder of this machine. */
  readonly filesystemId?: string;
}

/** What is never folded, whatever it costs. */
export interface ProtectSetting {
  /** Names of tools; `*` stands for anything. */
  readonly tools: readonly string[];
  /** Patterns of paths. */
  readonly paths: readonly string[];
  /** Newest prompts whose turns stay in full. */
  readonly prompts: number;
}

/** What a person may choose. Every choice has a default, so that nothing must be set up. */
export interface Settings {
  /** Pi stays as it is without us. */
  readonly off: boolean;
  /** The source of "off", if any: what was said in a session wins over a file, not over this run of Pi. */
  readonly offBy?: "run" | "file";
  readonly store: StoreSetting;
  readonly layout: "log" | "ssot";
  readonly preset: "careful" | "default" | "lean";
  /** Where the agent's paths lie, if its tools work in a sandbox. */
  readonly mounts: readonly MountSetting[];
  readonly protect: ProtectSetting;
  /** How much is said when outputs are folded. */
  readonly notices: "off" | "short" | "long";
  /**
   * Absolute folders outside of which no file is opened. Undefined: the whole machine, as the agent's tools have it.
   */
  readonly roots?: readonly string[];
  /** More files that are never opened, in gitignore syntax, relative to each root. */
  readonly ignore: readonly string[];
  /** Files of secrets that are opened all the same, in gitignore syntax; only the user's own file says so. */
  readonly openSecretFiles: readonly string[];
  /** Where files come from beside this machine: git, S3, containers. Undefined: from nowhere else. */
  readonly sources?: SourceSettings;
  /** Files of other sessions that the agent may list and adopt. */
  readonly discover: readonly DiscoverPrefix[];
  /** Absolute: the folder that settings, objects and Pi's own files are in. */
  readonly agentDir: string;
  /** What could not be understood and is left aside: sentences for people, without values or secrets. */
  readonly problems: readonly string[];
}
