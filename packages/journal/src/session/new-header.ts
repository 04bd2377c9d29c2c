import { type DialectName, dialects } from "../format/dialect.ts";
import { currentSessionVersion, type SessionHeader } from "../format/session-entry.ts";

export interface NewSessionOptions {
  /** Default: a new one. */
  readonly id?: string;
  readonly parentSession?: string;
}

/** The header of a session that begins now. */
export function newHeader(
  { dialect = "omp" }: { readonly dialect: DialectName | undefined },
  cwd: string,
  { id, parentSession }: NewSessionOptions,
): SessionHeader {
  const now = new Date();
  return {
    type: "session",
    version: currentSessionVersion,
    id: id ?? dialects[dialect].newSessionId(now.getTime()),
    timestamp: now.toISOString(),
    cwd,
    ...(parentSession === undefined ? {} : { parentSession }),
  };
}
