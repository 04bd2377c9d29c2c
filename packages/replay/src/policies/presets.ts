import type { Layout } from "@cm/context-log";
import { type ContextLogPreset, contextLogPolicy, layouts } from "@cm/render";

/** The context log under one of its presets. */
export function contextLogPreset(preset: ContextLogPreset): Layout {
  return { ...layouts.log, policy: contextLogPolicy({ preset }) };
}
