import { basename } from "node:path";
import { CmError } from "@cm/object-model";
import type { FileEntry, SessionHeader } from "../format/session-entry.ts";
import { sourceName } from "../source.ts";
import type { SessionStorage } from "../storage/session-storage.ts";
import { keepBeside, replaceText } from "../write/session-file.ts";
import { readSessionText } from "./load-session.ts";
import { migrateSessionEntries } from "./migrate-session.ts";

export interface OpenSessionFileOptions {
  readonly storage: SessionStorage;
  /** The header where there is no session yet. */
  readonly fresh: SessionHeader;
  readonly onInvalid: "replace" | "throw";
  readonly onWarning: (warning: { readonly kind: "kept-beside"; readonly name: string }) => void;
}

export interface OpenedSessionFile {
  readonly entries: FileEntry[];
  readonly namesBlobs: boolean;
}

/**
 * The header and the entries of a file in version 3. The file is written where it is no session yet, or of an older
 * version, and only then.
 * @throws CmError `journal/not-a-session` where the options say so
 */
export async function openSessionFile(path: string, options: OpenSessionFileOptions): Promise<OpenedSessionFile> {
  const there = await readSessionText(path, options.storage);
  if (there.entries.length > 0 && !migrateSessionEntries(there.entries)) return there;
  const release = await options.storage.lock?.(path);
  try {
    // Another process may have done it meanwhile.
    return await mended(path, options);
  } finally {
    release?.();
  }
}

async function mended(
  path: string,
  { storage, fresh, onInvalid, onWarning }: OpenSessionFileOptions,
): Promise<OpenedSessionFile> {
  const seenBytes = storage.existsSync(path) ? storage.statSync(path).size : 0;
  const { entries, preamble, skippedLines, hasContent, namesBlobs } = await readSessionText(path, storage);
  const isSession = entries.length > 0;
  if (isSession && !migrateSessionEntries(entries)) return { entries, namesBlobs };
  if (!isSession && hasContent && onInvalid === "throw") throw notASession(path);
  if (skippedLines > 0 || (!isSession && hasContent)) {
    onWarning({ kind: "kept-beside", name: basename(await keepBeside(storage, path)) });
  }
  const kept = isSession ? entries : [fresh];
  await replaceText(storage, path, { lines: [...preamble, ...kept.map((entry) => JSON.stringify(entry))], seenBytes });
  return { entries: kept, namesBlobs };
}

export function notASession(path: string): CmError<"journal/not-a-session"> {
  const file = sourceName(path);
  const message = `${file} does not begin with a session header; name another file, or move it away.`;
  return new CmError("journal/not-a-session", message, { file });
}
