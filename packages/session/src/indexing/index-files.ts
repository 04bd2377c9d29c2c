import type { ObjectStore, Source, SourceBinding } from "@cm/object-model";
import type { Redactor } from "../incoming/clean-text.ts";
import { limits } from "../limits.ts";
import { FileIndex, type IndexedFile } from "./file-index.ts";
import type { IndexOutcome } from "./next-version.ts";
import { redactionsOf } from "./redactions.ts";

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
 * commits of `filesPerCommit`. The next files are read while the last ones are written. Repeating it writes what is
 * missing.
 * @throws what the store throws; commits before that are written
 */
export async function indexFiles(
  { store, source, redact, onBatch }: IndexFilesOptions,
  batches: AsyncIterable<readonly SourceBinding[]> | Iterable<readonly SourceBinding[]>,
): Promise<IndexCounts> {
  const tally = new Tally();
  let writing: Promise<void> = Promise.resolve();
  for await (const batch of inParts(batches, limits.filesPerCommit)) {
    // An index for each: what it remembers of files that nobody looks at again would only take room.
    const files = new FileIndex(store, [source], { redact });
    const indexed = await files.index(batch.map((binding) => ({ binding, as: "read" })));
    await writing;
    writing = write(store, [...indexed.values()]).then((written) => {
      tally.add(written);
      onBatch?.(tally.counts);
    });
    // Awaited with the next batch: until then its failure must not count as unhandled.
    writing.catch(() => undefined);
  }
  await writing;
  return tally.counts;
}

async function* inParts<T>(
  batches: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  size: number,
): AsyncGenerator<readonly T[], void> {
  for await (const batch of batches) {
    for (let from = 0; from < batch.length; from += size) yield batch.slice(from, from + size);
  }
}

async function write(store: ObjectStore, indexed: readonly IndexedFile[]): Promise<readonly IndexedFile[]> {
  const writes = indexed.flatMap((file) => file.write ?? []);
  if (writes.length > 0) await store.commit(writes);
  return indexed;
}

class Tally {
  #files = 0;
  #redactions = 0;
  readonly #outcomes: Partial<Record<IndexOutcome, number>> = {};

  add(indexed: readonly IndexedFile[]): void {
    this.#files += indexed.length;
    for (const { outcome, write: written } of indexed) {
      this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1;
      this.#redactions += redactionsOf(written);
    }
  }

  get counts(): IndexCounts {
    return { files: this.#files, outcomes: { ...this.#outcomes }, redactions: this.#redactions };
  }
}
