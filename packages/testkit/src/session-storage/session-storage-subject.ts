/** What the suite calls of a writer of "session-storage/1". */
export interface StorageWriter {
  writeLine(line: string): Promise<void>;
  flush(): Promise<void>;
  fsync(): Promise<void>;
  close(): Promise<void>;
  getError(): Error | undefined;
}

/** The twelve operations of "session-storage/1". */
export interface TestedStorage {
  ensureDirSync(dir: string): void;
  existsSync(path: string): boolean;
  writeTextSync(path: string, content: string): void;
  statSync(path: string): { readonly size: number; readonly mtimeMs: number; readonly mtime: Date };
  listFilesSync(dir: string, pattern: string): string[];
  exists(path: string): Promise<boolean>;
  readText(path: string): Promise<string>;
  readTextPrefix(path: string, maxBytes: number): Promise<string>;
  writeText(path: string, content: string): Promise<void>;
  rename(path: string, nextPath: string): Promise<void>;
  unlink(path: string): Promise<void>;
  openWriter(
    path: string,
    options?: { readonly flags?: "a" | "w"; readonly onError?: (error: Error) => void },
  ): StorageWriter;
}

/** A storage, and a folder of it that is the case's own, empty, and may not be there yet. */
export interface StorageSubject {
  readonly storage: TestedStorage;
  /** Absolute, with `/`. */
  readonly folder: string;
  close(): Promise<void>;
}

export const storageMethods = [
  "ensureDirSync",
  "existsSync",
  "writeTextSync",
  "statSync",
  "listFilesSync",
  "exists",
  "readText",
  "readTextPrefix",
  "writeText",
  "rename",
  "unlink",
  "openWriter",
] as const satisfies readonly (keyof TestedStorage)[];
