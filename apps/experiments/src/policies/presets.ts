import { type ContextLogPreset, contextLogPolicy, type LayoutPreset, logLayout } from "@cm/render";

/** The context log under one of its presets. */
export function contextLogPreset(preset: ContextLogPreset): LayoutPreset {
  return { policy: contextLogPolicy({ preset }), renderer: logLayout };
}
