import { counted, visiblePath } from "@cm/terminal-text";
import type { BlockedSecretFile } from "../../files/blocked-secret-files.ts";
import { commandLimits } from "../command-limits.ts";
import { type CheckLine, doubtful } from "./check-line.ts";

/** Files that this session met and did not open, each with the rule that closed it, and how to open them. */
export function checkSecrets(closed: readonly BlockedSecretFile[]): readonly CheckLine[] {
  if (closed.length === 0) return [];
  const named = closed
    .slice(0, commandLimits.secretsNamedMax)
    .map(({ path, rule }) => `${visiblePath(path, commandLimits.noteCharsMax)} (${rule})`);
  const more = closed.length > named.length ? [`and ${closed.length - named.length} more`] : [];
  const rules = [...new Set(closed.slice(0, commandLimits.secretsNamedMax).map(({ rule }) => rule))];
  const next = `Context Manager does not look into ${closed.length === 1 ? "it" : "them"}. To let it: "openSecretFiles": ${JSON.stringify(rules)} in your settings file, then start Pi anew.`;
  return [
    doubtful(
      "secrets",
      `${counted(closed.length, "file")} closed for the name, with the rule: ${[...named, ...more].join(", ")}`,
      next,
    ),
  ];
}
