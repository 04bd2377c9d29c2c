import type { DiscoverPrefix } from "@cm/session";
import type { SourceSettings } from "./source-setting.ts";

/** Where objects are kept. */
export type StoreSetting =
  | { readonly kind: "sqlite" /** Absolute. */; readonly path: string }
  | {
      readonly kind: "xtdb";
      /** At least one; they may hold a login, so they are no text for people. */
      readonly urls: readonly string[];
      readonly token?: string;
      /** Empty for none. */
      readonly namespace: string;
    };

/** One mount of the agent's file system, as somebody wrote it. Both prefixes are absolute. */
export interface MountSetting {
  readonly agentPrefix: string;
  readonly canonicalPrefix: string;
  /** Absent: the canonical prefix is a folder of this machine. */
  readonly filesystemId?: string;
}

/** What a person may choose. Every choice has a default, so that nothing must be set up. */
export interface Settings {
  /** Pi stays as it is without us. */
  readonly off: boolean;
  readonly store: StoreSetting;
  readonly layout: "log" | "ssot";
  readonly preset: "careful" | "default" | "lean";
  /** Where the agent's paths lie, if its tools work in a sandbox. */
  readonly mounts: readonly MountSetting[];
  /** Absolute folders outside of which no file is opened. Undefined: the whole machine, as the agent's tools have it. */
  readonly roots?: readonly string[];
  /** More files that are never opened, in gitignore syntax, relative to each root. */
  readonly ignore: readonly string[];
  /** Where files come from beside this machine: git, S3, containers. Undefined: from nowhere else. */
  readonly sources?: SourceSettings;
  /** Files of other sessions that the agent may list and adopt. */
  readonly discover: readonly DiscoverPrefix[];
  /** Absolute: the folder that settings, objects and Pi's own files are in. */
  readonly agentDir: string;
  /** What could not be understood and is left at its default: sentences for people, without values or secrets. */
  readonly problems: readonly string[];
}
