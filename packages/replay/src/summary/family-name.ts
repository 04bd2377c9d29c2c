import type { RecordingFormat } from "@cm/recordings";

const names: Readonly<Record<RecordingFormat, string>> = {
  pi: "Pi",
  "claude-code": "Claude Code",
  "swe-agent": "SWE-agent",
  codex: "Codex",
  opencode: "opencode",
};

/** An agent's name for people. A results file may name one that this version does not know, or none. */
export function familyName(family: string): string {
  if (family === "") return "Unknown agent";
  return Object.hasOwn(names, family) ? names[family as RecordingFormat] : family;
}
