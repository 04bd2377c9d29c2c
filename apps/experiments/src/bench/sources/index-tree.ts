// A process of its own, so that its memory is that of indexing alone: `node index-tree.js ROOT DATABASE`.
import type { FilesystemBinding, KnownState, Observation } from "@cm/object-model";
import { limits } from "@cm/object-model";
import { indexFiles } from "@cm/session";
import { createFilesystemSource, createRedactor } from "@cm/sources-fs";
import { openSqliteStore } from "@cm/store-sqlite";

/** What the process prints, as one line of JSON. Times in milliseconds. */
export interface TreeFigures {
  readonly files: number;
  readonly redactions: number;
  readonly indexMs: number;
  readonly sweepMs: readonly number[];
  readonly rehashMs: readonly number[];
  readonly memoryMb: number;
}

type Known = { readonly binding: FilesystemBinding; readonly known: KnownState };

const rounds = 5;
/** As many as a session asks for at once. */
const requestsPerCall = 5_000;
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
for (let round = 0; round < rounds; round += 1) {
  rehashMs.push(
    await timed(known.map(({ binding, known: { sourceHash = "" } }) => ({ binding, known: { sourceHash } }))),
  );
}
await source.close();
const memoryMb = Math.round(process.resourceUsage().maxRSS / 1024);
const figures: TreeFigures = { files, redactions, indexMs, sweepMs, rehashMs, memoryMb };
process.stdout.write(`${JSON.stringify(figures)}\n`);

/** One look at every file; all of them must be unchanged. */
async function timed(requests: readonly Known[]): Promise<number> {
  const begun = performance.now();
  let unchanged = 0;
  for (let from = 0; from < requests.length; from += requestsPerCall) {
    const answers = await look(requests.slice(from, from + requestsPerCall));
    unchanged += answers.filter(({ kind }) => kind === "unchanged").length;
  }
  const ms = performance.now() - begun;
  if (unchanged !== requests.length) throw new Error(`${requests.length - unchanged} files were not unchanged.`);
  return ms;
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
