export interface SessionStorageStat {
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
  readonly mtime: Date;
}

/** Appends to one file. After the first error every call throws it again, but `close`. */
export interface SessionStorageWriter {
  /** @param line one or several; the last one gets its line break where it has none */
  writeLine(line: string): Promise<void>;
  flush(): Promise<void>;
  /** Everything written so far survives a crash of the machine. */
  fsync(): Promise<void>;
  close(): Promise<void>;
  getError(): Error | undefined;
}

export interface OpenWriterOptions {
  /** `a` appends, `w` empties the file first. Default: `a`. */
  readonly flags?: "a" | "w";
  /** Told each error as it happens. */
  readonly onError?: (error: Error) => void;
}

/**
 * Where session files are. Paths are absolute; a call on a file that is not there throws an error with the code ENOENT,
 * but for `listFilesSync`, which gives nothing. Writing makes the folders that are missing.
 */
export interface SessionStorage {
  ensureDirSync(dir: string): void;
  existsSync(path: string): boolean;
  writeTextSync(path: string, content: string): void;
  statSync(path: string): SessionStorageStat;
  /** Whole paths of the files that stand directly in a folder. @param pattern `*`, `*.jsonl`, or a name */
  listFilesSync(dir: string, pattern: string): string[];
  exists(path: string): Promise<boolean>;
  readText(path: string): Promise<string>;
  /** @param maxBytes of UTF-8; a character that is cut there becomes U+FFFD or is left out */
  readTextPrefix(path: string, maxBytes: number): Promise<string>;
  writeText(path: string, content: string): Promise<void>;
  /** Replaces what stands under the next path, in one step. */
  rename(path: string, nextPath: string): Promise<void>;
  unlink(path: string): Promise<void>;
  openWriter(path: string, options?: OpenWriterOptions): SessionStorageWriter;
  /** For storages of several working directories: whole paths of the folders that stand directly in a folder. */
  listFoldersSync?(dir: string): string[];
  /** For storages of bytes: copies a file as it stands, also where it is no UTF-8. */
  copy?(path: string, copyPath: string): Promise<void>;
  /** For storages of several processes: keeps others from rewriting a file until the given function is called. */
  lock?(path: string): Promise<() => void>;
  /**
   * For storages of several processes: `rename`, and gives what others have appended to the replaced file behind its
   * first `seenBytes`, which the caller appends again.
   */
  renameOver?(path: string, nextPath: string, seenBytes: number): Promise<string>;
}
