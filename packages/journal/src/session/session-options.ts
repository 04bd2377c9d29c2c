import type { CmError } from "@cm/object-model";
import type { DialectName } from "../format/dialect.ts";
import type { SessionStorage } from "../storage/session-storage.ts";

export interface SessionOptions {
  /** Where files are. Default: the disk. */
  readonly storage?: SessionStorage;
  /** The program that also reads the file. Default: the one that wrote it, `omp` for a new file. */
  readonly dialect?: DialectName;
  /** Where the program keeps sessions, blobs and breadcrumbs. Default: `~/.omp/agent`, `~/.pi/agent` for Pi. */
  readonly agentDir?: string;
  /** Where images go. Default: `blobs` in `agentDir`. */
  readonly blobsDir?: string;
  /**
   * What becomes of a file that is not empty and no session: its bytes are kept beside it and a new session takes its
   * place, or `journal/not-a-session` is thrown. Default: `replace`.
   */
  readonly onInvalid?: "replace" | "throw";
  /** Told the first error of writing. Default: one line on the standard error output. */
  readonly onError?: (error: CmError<"journal/write-failed">) => void;
  /** Told what is odd and no error, such as an image whose bytes are missing. Default: nothing is said. */
  readonly onWarning?: (warning: SessionWarning) => void;
  /** Names this terminal for `continueRecent`; null: it has none. Default: found out. */
  readonly terminalId?: string | null;
}

export interface SessionWarning {
  readonly kind: "missing-blob" | "kept-beside";
  /** The hash of the blob, or the name of the file that was kept. */
  readonly name: string;
}
