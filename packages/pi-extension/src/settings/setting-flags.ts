import type { Variables } from "@cm/store-place";
import { closestName } from "./closest-name.ts";
import { type Problem, quoted } from "./problem.ts";

/**
 * Flags of Pi's command line that say the same as the variables, which win. Registered when the extension is loaded.
 */
export const settingFlags = {
  "cm-off": { type: "boolean", description: "Context Manager: leave Pi as it is" },
  "cm-store": { type: "string", description: "Context Manager: SQLite file or URL of an XTDB node" },
  "cm-layout": { type: "string", description: "Context Manager: log (default) or ssot" },
  "cm-preset": { type: "string", description: "Context Manager: careful, default or lean" },
  "cm-mount": {
    type: "string",
    description: "Context Manager: agent=canonical[@filesystem id], with commas between several",
  },
} as const;

export type SettingFlag = keyof typeof settingFlags;

/** As `pi.getFlag` answers. */
export type FlagValues = Readonly<Partial<Record<SettingFlag, boolean | string | undefined>>>;

/** Flags without what they are to say. */
export function flagMistakes(flags: FlagValues): readonly Problem[] {
  const silent = Object.entries(settingFlags).filter(([name, { type }]) => {
    const value = flags[name as SettingFlag];
    return type === "string" && value !== undefined && (typeof value !== "string" || value === "");
  });
  return silent.map(([name]) => ({ said: `--${name} needs a value behind it`, holds: "It is left aside." }));
}

const variables = [
  ...["CM_OFF", "CM_STORE", "CM_XTDB_URL", "CM_XTDB_TOKEN", "CM_XTDB_NAMESPACE", "CM_PRESET", "CM_LAYOUT", "CM_MOUNTS"],
];

/** Unknown variables with a name close to one of ours. Others may begin with `CM_`, too. */
export function variableMistakes(env: Variables): readonly Problem[] {
  const unknown = Object.keys(env).filter((name) => /^CM_/i.test(name) && !variables.includes(name));
  return unknown.flatMap((name) => {
    const near = closestName(name, variables);
    if (near === undefined || near in env) return [];
    return [
      { said: `${quoted(name)} is no variable of ours; did you mean ${quoted(near)}?`, holds: "It is left aside." },
    ];
  });
}
