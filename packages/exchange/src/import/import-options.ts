import type { FileTouch } from "@cm/context-log";
import type { Source } from "@cm/object-model";
import type { Redactor } from "@cm/session";

/** The files of an imported session: who would look at them, and what a recorded path is called in the store. */
export interface ImportedFiles {
  readonly source: Source;
  /** Undefined for what is no file to follow. @param path absolute, as the agent saw it */
  bind(path: string, of: RecordedPlace): Promise<FileTouch["binding"] | undefined>;
}

/** Where a session was recorded. */
export interface RecordedPlace {
  readonly session: string;
  readonly cwd: string | undefined;
}

export interface ImportSessionOptions {
  /** Which session of a file that holds many, as opencode's database does. Default: the one that went on last. */
  readonly recorded?: string;
  /** Runs over every text before it is stored. Default: none. */
  readonly redact?: Redactor;
  /** Default: files are not kept. */
  readonly files?: ImportedFiles;
  /** Told after each commit how much of the file is in the store. */
  readonly onProgress?: (progress: { readonly steps: number; readonly entries: number }) => void;
  /** Lowers `limits.batchCharsMax`. */
  readonly batchCharsMax?: number;
  /** What was committed stays, and the next import goes on behind it. */
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export interface ImportSessionReceipt {
  readonly session: string;
  /** The agent whose file it is, such as `claude-code`. */
  readonly agent: string;
  /**
   * `unchanged`: the store has all of it. `empty`: the file has nothing but its first line. `recorded`: the file belongs to a session that this store recorded while it
   * ran, `session`; nothing was written.
   */
  readonly outcome: "imported" | "extended" | "unchanged" | "empty" | "recorded";
  /** Steps and entries that were added. */
  readonly steps: number;
  readonly entries: number;
  readonly redactions: number;
  readonly warnings: readonly string[];
}
