import { z } from "zod";
import type { RawObject } from "./json-lines.ts";

/** The newest version of the format that this package reads. */
export const currentVersion = 3;

/** The first line of a session file, brought to version 3. Fields that are not named here stay on it. */
export interface JournalHeader {
  readonly type: "session";
  readonly version: number;
  /** Empty only where a damaged header was made up. */
  readonly id: string;
  /** ISO 8601. */
  readonly timestamp?: string | undefined;
  /** The folder in which the session was started. */
  readonly cwd?: string | undefined;
  readonly title?: string | undefined;
  /** Opaque: a session id or a path, depending on how the session was forked. */
  readonly parentSession?: string | undefined;
  /** Version 1 only: what the session started with. */
  readonly provider?: string | undefined;
  readonly modelId?: string | undefined;
  readonly thinkingLevel?: string | undefined;
}

const text = z.string().optional().catch(undefined);
const header = z.object({
  type: z.literal("session"),
  id: z.string(),
  // Absent means 1; an odd value tells no more than an absent one.
  version: z.number().int().min(1).catch(1),
  timestamp: text,
  cwd: text,
  title: text,
  parentSession: text,
  provider: text,
  modelId: text,
  thinkingLevel: text,
});

/** The header in the version of its file, or undefined where the object is none. */
export function toHeader(raw: RawObject): JournalHeader | undefined {
  const read = header.safeParse(raw);
  return read.success ? { ...raw, ...read.data } : undefined;
}
