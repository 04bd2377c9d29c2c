// A process of its own, so that its memory is that of indexing alone: `node index-tree.js ROOT DATABASE`.
import type { FilesystemBinding, KnownState, Observation } from "@cm/object-model";
import { limits } from "@cm/object-model";
import { indexFiles } from "@cm/session";
import { createFilesystemSource, createRedactor } from "@cm/sources-fs";
import { openSqliteStore } from "@cm/store-sqlite";

/** The output of the process, as one line of JSON. Times in milliseconds. */
export interface TreeFigures {
  readonly files: number;
  readonly redactions: number;
  readonly indexMs: number;
  readonly sweepMs: readonly number[];
  readonly rehashMs: readonly number[];
  /** Peaks: of indexing and sweeping, and with hashing everything again in both reading threads. */
  readonly memoryMb: number;
  readonly rehashMemoryMb: number;
}

type Known = { readonly binding: FilesystemBinding; readonly known: KnownState };

const rounds = 5;
/** As a session asks: so many at once, and the next while the last are looked at. */
const requestsPerCall = 10_000;
/** Their texts are in memory at once. */
const filesPerRead = 64;

const [root = "", database = ""] = process.argv.slice(2);
const source = createFilesystemSource({ roots: [root] });
// As git, which by default does not wait for the disk after each of its objects either.
const store = openSqliteStore({ path: database, synchronous: "normal" });

const started = performance.now();
const { files, redactions } = await indexFiles({ store, source, redact: createRedactor() }, source.list());
const indexMs = performance.now() - started;
await store.close();

const bindings: FilesystemBinding[] = [];
for await (const batch of source.list()) bindings.push(...batch);
const known: Known[] = [];
for (let from = 0; from < bindings.length; from += filesPerRead) {
  const batch = bindings.slice(from, from + filesPerRead);
  const answers = await look(batch.map((binding) => ({ binding })));
  known.push(...statesOf(batch, answers));
}
const sweepMs: number[] = [];
const rehashMs: number[] = [];
// Not in turns: hashing a file again makes the state that is known of it an older one.
for (let round = 0; round < rounds; round += 1) sweepMs.push(await timed(known));
const memoryMb = peakMb();
const hashesOnly = known.map(({ binding, known: { sourceHash = "" } }) => ({ binding, known: { sourceHash } }));
for (let round = 0; round < rounds; round += 1) rehashMs.push(await timed(hashesOnly));
await source.close();
const figures: TreeFigures = { files, redactions, indexMs, sweepMs, rehashMs, memoryMb, rehashMemoryMb: peakMb() };
process.stdout.write(`${JSON.stringify(figures)}\n`);

function peakMb(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

/** One look at every file; all of them must be unchanged. */
async function timed(requests: readonly Known[]): Promise<number> {
  const begun = performance.now();
  let unchanged = 0;
  let asked: ReturnType<typeof look> | undefined;
  for (let from = 0; from < requests.length; from += requestsPerCall) {
    const next = look(requests.slice(from, from + requestsPerCall));
    unchanged += countUnchanged(await asked);
    asked = next;
  }
  unchanged += countUnchanged(await asked);
  const ms = performance.now() - begun;
  if (unchanged !== requests.length) throw new Error(`${requests.length - unchanged} files were not unchanged.`);
  return ms;
}

function countUnchanged(answers: readonly Observation[] = []): number {
  return answers.filter(({ kind }) => kind === "unchanged").length;
}

function look(requests: Parameters<typeof source.observe>[0]): Promise<readonly Observation[]> {
  return source.observe(requests, { contentBytesMax: limits.contentBytesMax, deadlineMs: 60_000 });
}

function statesOf(batch: readonly FilesystemBinding[], answers: readonly Observation[]): readonly Known[] {
  return batch.flatMap((binding, place) => {
    const answer = answers[place];
    return answer?.kind === "present" ? [{ binding, known: answer.state }] : [];
  });
}
