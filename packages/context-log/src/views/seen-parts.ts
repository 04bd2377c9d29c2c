import { defined } from "@cm/object-model";
import type { LogState } from "../state/log-state.ts";

/** A part of a file that a call showed to the agent. */
export interface SeenPart {
  /** The call whose output is that part. */
  readonly toolcall: string;
  /** By 1-based lines; no end where only the start is known. */
  readonly startLine: number;
  readonly endLine?: number;
  /**
   * The version that was found behind all calls of the answer: what was shown, unless a command of that answer changed the file
   * behind the read. Absent where the file itself was never read, or where that answer edited it behind the read.
   */
  readonly contentHash?: string;
  /** It is the version that the session has in sight: the file has not changed since that answer. */
  readonly isCurrent: boolean;
}

/** What the agent saw of a file, newest first; from the log, so that a resumed session says the same (SSOT 2.5). */
export function seenParts(
  { log, inSight, successions }: Pick<LogState, "log" | "inSight" | "successions">,
  file: string,
): readonly SeenPart[] {
  const current = inSight.get(file)?.contentHash;
  return log
    .flatMap((entry) => {
      if (entry.kind !== "result" || entry.text === null) return [];
      return entry.spans
        .filter((span) => successions.newest(span.file) === file)
        .map(
          ({ start_line, end_line, content_hash }): SeenPart => ({
            toolcall: entry.object,
            startLine: start_line,
            ...defined({ endLine: end_line, contentHash: content_hash }),
            isCurrent: content_hash !== undefined && content_hash === current,
          }),
        );
    })
    .reverse();
}
