import { contextLogPolicy, type LayoutPreset, logLayout } from "@cm/render";

/** The context log's one knob: living file text that is spared, as a share of the plain log. */
const floors = { careful: 0.3, default: 0.25, lean: 0.1 } as const;

export type PresetName = keyof typeof floors;

/** The context log under one of its presets. The only place that says how a preset is made. */
export function contextLogPreset(preset: PresetName): LayoutPreset {
  return { policy: contextLogPolicy({ floor: floors[preset] }), renderer: logLayout };
}
