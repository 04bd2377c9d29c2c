import { randomUUID } from "node:crypto";
import { CmError } from "@cm/object-model";
import type { FileEntry, SessionEntry, SessionHeader } from "../format/session-entry.ts";
import { limits } from "../limits.ts";
import { parseSessionText, type SessionText } from "../load/parse-session-text.ts";
import { sourceName } from "../source.ts";
import type { SessionStorage, SessionStorageWriter } from "../storage/session-storage.ts";

/** All that a session file holds, as it is in memory. */
export interface SessionContent {
  readonly header: SessionHeader;
  readonly entries: readonly SessionEntry[];
}

export interface SessionFileOptions {
  readonly storage: SessionStorage;
  readonly path: string;
  /** The line of an entry, without its line break. */
  readonly toLine: (entry: FileEntry) => string;
  /** Told the first error. */
  readonly onError: (error: CmError<"journal/write-failed">) => void;
  /** Given entries that another process wrote into the file. */
  readonly onForeign: (entries: readonly SessionEntry[]) => void;
  /** Given the header with what another process changed in it. */
  readonly onHeader: (header: SessionHeader) => void;
  /** The header as it stands in the file; undefined where there is none yet. */
  readonly header: SessionHeader | undefined;
}

/**
 * Writes one session file, one call after the other. The first error stays: every later call throws it. Other processes
 * may write the same file: nothing of theirs is lost.
 */
export class SessionFile {
  readonly path: string;
  readonly #options: SessionFileOptions;
  #chain: Promise<void> = Promise.resolve();
  #writer: SessionStorageWriter | undefined;
  /** As we know it to stand in the file: what differs in memory is ours, what differs in the file is another's. */
  #writtenHeader: SessionHeader | undefined;
  #error: CmError<"journal/write-failed"> | undefined;

  constructor(options: SessionFileOptions) {
    this.#options = options;
    this.path = options.path;
    this.#writtenHeader = options.header;
  }

  /** @throws CmError `journal/write-failed` where something has failed before */
  throwIfFailed(): void {
    if (this.#error !== undefined) throw this.#error;
  }

  /** Queues one line. `content` is all, with this entry: it is written where the file is gone. */
  append(entry: SessionEntry, content: () => SessionContent): void {
    let line: string;
    try {
      line = `${this.#options.toLine(entry)}\n`;
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#enqueue(async () => {
      if (await this.#options.storage.exists(this.path)) await this.#openWriter().writeLine(line);
      else await this.#replace(content());
    });
  }

  /** Queues a rewrite of the whole file. */
  rewrite(content: () => SessionContent): void {
    this.#enqueue(() => this.#replace(content()));
  }

  /** Waits for everything queued. */
  async settled(): Promise<void> {
    await this.#chain;
    this.throwIfFailed();
  }

  /** Waits for everything queued, and until it survives a crash of the machine. */
  async flush(): Promise<void> {
    this.#enqueue(async () => {
      await this.#writer?.flush();
      await this.#writer?.fsync();
    });
    await this.settled();
  }

  /** Closes in any case, and then throws the first error. */
  async close(): Promise<void> {
    await this.#chain;
    const writer = this.#writer;
    this.#writer = undefined;
    if (writer !== undefined && this.#error === undefined) await writer.fsync().catch((error) => this.#fail(error));
    await writer?.close().catch((error) => this.#fail(error));
    this.throwIfFailed();
  }

  #enqueue(work: () => Promise<void>): void {
    this.#chain = this.#chain.then(async () => {
      if (this.#error !== undefined) return;
      await work().catch((error) => this.#fail(error));
    });
  }

  #fail(cause: unknown): void {
    if (this.#error !== undefined) return;
    const file = sourceName(this.path);
    const reason = (cause as NodeJS.ErrnoException).code ?? "unknown";
    const message = `${file} could not be written (${reason}); make room or mend its permissions, then open it again.`;
    this.#error = new CmError("journal/write-failed", message, { file, reason }, { cause });
    this.#options.onError(this.#error);
  }

  #openWriter(): SessionStorageWriter {
    this.#writer ??= this.#options.storage.openWriter(this.path, { flags: "a" });
    return this.#writer;
  }

  async #replace(content: SessionContent): Promise<void> {
    const { storage } = this.#options;
    const release = await storage.lock?.(this.path);
    try {
      await this.#writer?.close();
      this.#writer = undefined;
      await this.#replaceLocked(content);
    } finally {
      release?.();
    }
  }

  async #replaceLocked(content: SessionContent): Promise<void> {
    const { storage, toLine } = this.#options;
    const there = await storage.exists(this.path);
    const seenBytes = there ? storage.statSync(this.path).size : 0;
    const before = parseSessionText(there ? await storage.readText(this.path) : "");
    if (before.skippedLines > 0) await keepBeside(storage, this.path);
    const entries = this.#merged(content, before);
    const header = this.#mergedHeader(content.header, before.entries[0]);
    const lines = [...before.preamble, ...[header, ...entries].map(toLine)];
    const tail = await replaceText(storage, this.path, { lines, seenBytes });
    this.#writtenHeader = header;
    this.#options.onHeader(header);
    const late = foreignTo(header, entries, parseSessionText(`${toLine(header)}\n${tail}`));
    if (late.length === 0) return;
    this.#options.onForeign(late);
    for (const entry of late) await this.#openWriter().writeLine(`${toLine(entry)}\n`);
  }

  /** The header of the file, with what was changed in memory since it was written. */
  #mergedHeader(ours: SessionHeader, there: FileEntry | undefined): SessionHeader {
    if (there?.type !== "session" || there.id !== ours.id) return ours;
    const written: Readonly<Record<string, unknown>> = { ...this.#writtenHeader };
    return { ...there, ...Object.fromEntries(Object.entries(ours).filter(([name, value]) => value !== written[name])) };
  }

  /** What others wrote stands behind what the file had of ours, and before what it does not have yet. */
  #merged({ header, entries }: SessionContent, before: SessionText): readonly SessionEntry[] {
    const foreign = foreignTo(header, entries, before);
    if (foreign.length === 0) return entries;
    this.#options.onForeign(foreign);
    const written = new Set(before.entries.map(({ id }) => id));
    const isWritten = ({ id }: SessionEntry) => written.has(id);
    return [...entries.filter(isWritten), ...foreign, ...entries.filter((entry) => !isWritten(entry))];
  }
}

/** Entries of the same session that memory does not have. */
function foreignTo(header: SessionHeader, entries: readonly SessionEntry[], { entries: there }: SessionText) {
  if (there[0]?.id !== header.id) return [];
  const known = new Set<unknown>(entries.map(({ id }) => id));
  return there.slice(1).filter((entry): entry is SessionEntry => {
    const isNew = typeof entry.id === "string" && !known.has(entry.id);
    known.add(entry.id);
    return isNew;
  });
}

/** A copy of a file whose bytes are about to be replaced by fewer. @returns its path */
export async function keepBeside(storage: SessionStorage, path: string): Promise<string> {
  const time = new Date().toISOString().replace(/[:.]/g, "-");
  let beside = `${path}.bak-${time}`;
  for (let again = 2; await storage.exists(beside); again += 1) beside = `${path}.bak-${time}-${again}`;
  if (storage.copy === undefined) await storage.writeText(beside, await storage.readText(path));
  else await storage.copy(path, beside);
  return beside;
}

/** Writes lines beside a file, and puts them in its place in one step. @returns what others appended meanwhile */
export async function replaceText(
  storage: SessionStorage,
  path: string,
  { lines, seenBytes }: { readonly lines: readonly string[]; readonly seenBytes: number },
): Promise<string> {
  const beside = `${path}.${randomUUID()}.tmp`;
  try {
    const writer = storage.openWriter(beside, { flags: "w" });
    try {
      for (const piece of pieces(lines)) await writer.writeLine(piece);
      await writer.flush();
      await writer.fsync();
    } finally {
      await writer.close();
    }
    if (storage.renameOver !== undefined) return await storage.renameOver(beside, path, seenBytes);
    await storage.rename(beside, path);
    return "";
  } catch (error) {
    await storage.unlink(beside).catch(() => undefined);
    throw error;
  }
}

/** Lines put together, so that a long file is not a call of the system for each line. */
function* pieces(lines: readonly string[]): Generator<string> {
  let piece = "";
  for (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < limits.rewriteCharsAtOnce) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}
