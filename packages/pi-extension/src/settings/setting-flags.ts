/** Flags of Pi's command line that say the same as the variables, which win. Registered when the extension is loaded. */
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
