import type { FileTouch } from "@cm/context-log";
import type { ObjectStore, Source, SourceBinding } from "@cm/object-model";
import { sessionError } from "../errors.ts";
import type { Redactor } from "../input/clean.ts";
import { limits } from "../limits.ts";
import { FileIndex } from "./file-index.ts";
import type { IndexOutcome } from "./next-version.ts";
import { commitFiles } from "./stored-files.ts";
import { type IndexedFile, redactionsIn } from "./touches.ts";

export interface IndexFilesOptions {
  readonly store: ObjectStore;
  readonly source: Source;
  /** Runs over every text before it is stored. */
  readonly redact?: Redactor;
  /** Called after each commit with what was done so far; what it throws ends the indexing. */
  readonly onBatch?: (counts: IndexCounts) => void;
}

export interface IndexCounts {
  readonly files: number;
  /** How often each outcome was met; those that were not are missing. */
  readonly outcomes: Readonly<Partial<Record<IndexOutcome, number>>>;
  /** Secrets replaced. */
  readonly redactions: number;
}

/**
 * The indexing protocol (SSOT 5.6) over many files, without a session: all versions that are new to the store, in
 * commits of about `filesPerCommit`. Files are read while the ones before are written. Repeating it writes what is
 * missing.
 * @throws what the store throws; commits before that are written
 */
export async function indexFiles(
  { store, source, redact, onBatch }: IndexFilesOptions,
  batches: AsyncIterable<readonly SourceBinding[]> | Iterable<readonly SourceBinding[]>,
): Promise<IndexCounts> {
  const tally = new Tally();
  const unwritten = new Unwritten();
  const write = async (): Promise<void> => {
    tally.add(await writeFiles({ store, source, redact }, unwritten.take()));
    onBatch?.(tally.counts);
  };
  let reading: Indexed | undefined;
  for await (const batch of inParts(batches, limits.filesPerRead)) {
    // An index for each: what it remembers of files without another look would only take room.
    const files = new FileIndex(store, [source], { redact });
    const next = files.index(batch.map((binding) => ({ binding, as: "read" })));
    // Awaited a batch later: until then its failure must not count as unhandled.
    next.catch(() => undefined);
    unwritten.add(await reading);
    if (unwritten.isMuch) await write();
    reading = next;
  }
  unwritten.add(await reading);
  if (!unwritten.isEmpty) await write();
  return tally.counts;
}

/** Files that another client wrote meanwhile are looked at again. */
async function writeFiles(
  { store, source, redact }: Pick<IndexFilesOptions, "store" | "source"> & { readonly redact: Redactor | undefined },
  indexed: readonly IndexedFile[],
): Promise<readonly IndexedFile[]> {
  const done = new Map(indexed.map((file) => [file.id, file]));
  const index = new FileIndex(store, [source], { redact });
  let last: ReadonlyMap<string, IndexedFile> = new Map(done);
  let lost = await commitFiles(store, indexed);
  for (let attempt = 2; lost.size > 0; attempt += 1) {
    if (attempt > limits.lookAttemptsMax)
      throw sessionError("session/busy", `Others keep writing ${lost.size} of the files; try again.`);
    const touches = [...lost.keys()].flatMap((id): FileTouch[] => {
      const binding = done.get(id)?.document?.source;
      return binding == null ? [] : [{ binding, as: "read" }];
    });
    last = await index.indexAgain(touches, last, { newest: lost });
    for (const [id, file] of last) done.set(id, file);
    lost = await commitFiles(store, [...last.values()]);
  }
  return [...done.values()];
}

type Indexed = ReturnType<FileIndex["index"]>;

async function* inParts<T>(
  batches: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  size: number,
): AsyncGenerator<readonly T[], void> {
  for await (const batch of batches) {
    for (let from = 0; from < batch.length; from += size) yield batch.slice(from, from + size);
  }
}

/** Files for the next commit; of one that is there twice, the newer look. */
class Unwritten {
  #files = new Map<string, IndexedFile>();
  #chars = 0;

  add(indexed: Awaited<Indexed> | undefined): void {
    for (const [id, file] of indexed ?? []) {
      this.#files.set(id, file);
      this.#chars += file.write?.document.content?.length ?? 0;
    }
  }

  get isEmpty(): boolean {
    return this.#files.size === 0;
  }

  get isMuch(): boolean {
    return this.#files.size >= limits.filesPerCommit || this.#chars >= limits.indexedCharsMax;
  }

  take(): readonly IndexedFile[] {
    const files = [...this.#files.values()];
    this.#files = new Map();
    this.#chars = 0;
    return files;
  }
}

class Tally {
  #files = 0;
  #redactions = 0;
  readonly #outcomes: Partial<Record<IndexOutcome, number>> = {};

  add(indexed: readonly IndexedFile[]): void {
    this.#files += indexed.length;
    this.#redactions += redactionsIn(indexed);
    for (const { outcome } of indexed) this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1;
  }

  get counts(): IndexCounts {
    return { files: this.#files, outcomes: { ...this.#outcomes }, redactions: this.#redactions };
  }
}
