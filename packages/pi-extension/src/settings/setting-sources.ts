import type { Variables } from "@cm/store-place";
import type { FlagValues } from "./setting-flags.ts";

/** All that settings are read from. */
export interface SettingSources {
  readonly env: Variables;
  /** Of Pi's command line. */
  readonly flags?: FlagValues;
  /** Absolute; see `agentFolder`. */
  readonly agentDir: string;
  readonly home: string;
  /** Relative paths of variables and flags count from here. */
  readonly cwd: string;
  /** Whether Pi takes settings from the project in `cwd`. */
  readonly isProjectTrusted?: boolean;
  /** The model that runs, as `provider/id`. */
  readonly model?: string;
}

/** Whether a text was given. */
export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
