import type { AGUIEvent } from "@ag-ui/core";
import type { Preset } from "../presets/preset-schema.ts";

/** A run, as its governance has to know it before it begins. */
export interface PlannedRun {
  readonly presetName: string;
  readonly preset: Preset;
  /** The first one is where its agent works. */
  readonly folders: readonly string[];
  readonly input: readonly { readonly text: string }[];
}

/** What governance does to a run that goes on: it tells its readers, and hears of its end. */
export interface ToldRun {
  readonly signal: AbortSignal;
  push(events: readonly AGUIEvent[]): void;
}
