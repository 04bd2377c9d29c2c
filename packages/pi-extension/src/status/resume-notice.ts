import type { ResumeReport } from "@cm/session";
import { counted, visiblePath } from "@cm/terminal-text";
import { statusLimits } from "./status-limits.ts";

type Named = { readonly path: string };

/**
 * What had changed while a session was not open, in a line for people (SSOT 3.6). Undefined: nothing. The model is told
 * by the prompt itself.
 */
export function resumeNotice({ changed, deleted, unreachable, checkouts }: ResumeReport): string | undefined {
  const parts = [
    ...sentence(changed, "changed"),
    ...sentence(deleted, "deleted"),
    ...sentence(unreachable, "out of reach"),
    ...(checkouts.length === 0 ? [] : [`${counted(checkouts.length, "checkout")} moved`]),
  ];
  return parts.length === 0 ? undefined : `Since this session was last open: ${parts.join("; ")}. The model is told.`;
}

function sentence(files: readonly Named[], verb: string): readonly string[] {
  if (files.length === 0) return [];
  const named = files.slice(0, statusLimits.noticePathsMax);
  const paths = named.map(({ path }) => visiblePath(path, statusLimits.noticePathCharsMax));
  const others = files.length - named.length;
  return [
    `${counted(files.length, "file")} ${verb} (${[...paths, ...(others > 0 ? [`and ${others} more`] : [])].join(", ")})`,
  ];
}
