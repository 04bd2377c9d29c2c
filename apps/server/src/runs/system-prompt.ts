import type { Preset } from "../presets/preset-schema.ts";

/** The preset's prompt, and where the agent works: what it cannot know otherwise. */
export function systemPromptOf({ prompt, subagents }: Preset, folders: readonly string[]): string {
  const [cwd, ...others] = folders;
  const lines = [
    ...(cwd === undefined ? [] : [`Working folder: ${cwd}`]),
    ...(others.length === 0 ? [] : [`Further folders: ${others.join(", ")}`]),
    ...subagents.map(({ name, description }) => `Subagent ${name}: ${description}`),
  ];
  return [prompt.trim(), lines.join("\n")].filter((part) => part !== "").join("\n\n");
}
