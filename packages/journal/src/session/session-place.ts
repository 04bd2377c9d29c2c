import { join } from "node:path";
import type { CmError } from "@cm/object-model";
import { defaultAgentDir } from "../discovery/session-folders.ts";
import { terminalIdOf } from "../discovery/terminal-breadcrumb.ts";
import type { DialectName } from "../format/dialect.ts";
import { FileSessionStorage } from "../storage/file-session-storage.ts";
import type { SessionStorage } from "../storage/session-storage.ts";
import { BlobStore } from "../write/blob-store.ts";
import type { SessionOptions, SessionWarning } from "./session-options.ts";

/** The options of a session with everything in it. */
export interface SessionPlace {
  readonly storage: SessionStorage;
  /** Undefined: as the file says. */
  readonly dialect: DialectName | undefined;
  readonly agentDir: string;
  readonly blobs: BlobStore;
  readonly onInvalid: "replace" | "throw";
  readonly onError: (error: CmError<"journal/write-failed">) => void;
  readonly onWarning: (warning: SessionWarning) => void;
  readonly terminalId: string | undefined;
}

export function sessionPlace(options: SessionOptions): SessionPlace {
  const agentDir = options.agentDir ?? defaultAgentDir(options.dialect);
  const { terminalId = terminalIdOf() ?? null } = options;
  return {
    storage: options.storage ?? new FileSessionStorage(),
    dialect: options.dialect,
    agentDir,
    blobs: new BlobStore(options.blobsDir ?? join(agentDir, "blobs")),
    onInvalid: options.onInvalid ?? "replace",
    onError: options.onError ?? ((error) => console.error(error.message)),
    onWarning: options.onWarning ?? (() => undefined),
    terminalId: options.dialect === "pi" ? undefined : (terminalId ?? undefined),
  };
}
