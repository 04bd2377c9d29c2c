// A process of its own, so that its memory is that of one session: `node flat-session.js FOLDER STORE STEPS [WINDOWBYTES [memory]]`.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createMemoryStore, defined, isCmError, type ObjectStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { openSession, rebuildPrompt, type Session } from "@cm/session";
import { createFilesystemSource } from "@cm/sources-fs";
import { openSqliteStore } from "@cm/store-sqlite";
import { openXtdbStore } from "@cm/store-xtdb";
import { FlatScript } from "./flat-script.ts";

/** Milliseconds of the session's thread that each block of steps took, as the processor counted. */
export interface BlockTimes {
  readonly assembleMs: number[];
  readonly recordMs: number[];
}

/** Of the process: what its values take, and what the system gave it, which it seldom gives back. */
interface Memory {
  readonly heap: number;
  readonly resident: number;
}

/** The output of the process, as one line of JSON. */
export interface FlatFigures {
  /** Steps around the two hundredth of a young session, taken in turns with the last ones of the old one. */
  readonly early: BlockTimes;
  readonly late: BlockTimes;
  readonly stepsPerBlock: number;
  /** After a collection, with what the open session and its store keep: after 200 steps, at 1,000 and at the end. */
  readonly memoryMb: { readonly early: Memory; readonly full: Memory; readonly late: Memory };
  /** Bytes that a step added to the database, of the second thousand and of the last; 0 for a store in memory. */
  readonly stepBytes: { readonly early: number; readonly late: number };
  /** Processor time of each opening: after the last step, and of the young session after some 200. */
  readonly openingMs: { readonly early: readonly number[]; readonly late: readonly number[] };
  /** Processor time of a past prompt of the old session, rebuilt from its store: near its beginning, its middle and its end. */
  readonly pastMs: {
    readonly early: readonly number[];
    readonly middle: readonly number[];
    readonly late: readonly number[];
  };
  /** The step at which the session ended, because nothing gave way to the window any more; absent where it went on. */
  readonly endedAt?: number;
}

const [folder = "", kind = "memory", stepsText = "20000", windowText = "0", only] = process.argv.slice(2);
const steps = Number(stepsText);
const bytesMax = Number(windowText);
const stepsPerBlock = 10;
const blocks = 20;
const earlyAt = 200;
const thousand = 1_000;
const rounds = 5;
const collections = 2;
/** Steps that are measured in blocks. */
const late = stepsPerBlock * blocks;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** In memory, in a file, or on the XTDB node whose address is given in the place of a name. */
function openStore(name: string, path: string): ObjectStore {
  if (kind === "memory") return createMemoryStore();
  return kind === "sqlite" ? openSqliteStore({ path }) : openXtdbStore({ urls: kind, namespace: name });
}

/** A session on a store and files of its own. */
class Working {
  readonly #root: string;
  readonly #database: string;
  readonly #source;
  readonly #store;
  readonly #script: FlatScript;
  readonly #name: string;
  #session: Promise<Session>;
  step = 0;

  constructor(name: string) {
    this.#root = join(folder, name);
    this.#source = createFilesystemSource({ roots: [this.#root] });
    this.#script = new FlatScript(this.#root, this.#source);
    this.#database = join(folder, `${name}.sqlite`);
    this.#store = openStore(name, this.#database);
    this.#name = name;
    this.#session = this.#open();
  }

  #open(): Promise<Session> {
    return openSession({
      ...{ store: this.#store, layout: layouts.log, rendererFor, session: this.#name, sources: [this.#source] },
      ...(bytesMax === 0 ? {} : { window: { bytesMax } }),
    });
  }

  /** Goes on with the session that was opened last. */
  async openingMs(): Promise<readonly number[]> {
    return timed(async () => {
      await (await this.#session).abandon();
      this.#session = this.#open();
      await this.#session;
    });
  }

  pastMs(n: number): Promise<readonly number[]> {
    return timed(() => rebuildPrompt(this.#store, { session: this.#name, n }, rendererFor));
  }

  /** A number of steps, with the time that each took where it is measured. */
  async work(count: number, times?: BlockTimes): Promise<void> {
    const session = await this.#session;
    let assembleMs = 0;
    let recordMs = 0;
    for (let n = 0; n < count; n += 1, this.step += 1) {
      const text = this.#script.prompt();
      if (text !== undefined) await session.receive([{ role: "user", text }]);
      const started = processorMs();
      await session.assemble();
      assembleMs += processorMs() - started;
      const record = await this.#script.step();
      const assembled = processorMs();
      await session.record(record);
      recordMs += processorMs() - assembled;
    }
    times?.assembleMs.push(assembleMs);
    times?.recordMs.push(recordMs);
  }

  get databaseBytes(): number {
    if (kind !== "sqlite") return 0;
    // As another connection sees it, with what stands in the log alone yet.
    const database = new DatabaseSync(this.#database, { readOnly: true });
    const size = database
      .prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
      .get();
    database.close();
    return Number(size?.bytes);
  }

  async close(): Promise<void> {
    // Not closed, which writes.
    await (await this.#session).abandon();
    await this.#source.close();
    await this.#store.close?.();
  }
}

/** The time of this thread alone; observation of files has its own threads. */
function processorMs(): number {
  const ofThread = process.threadCpuUsage as (() => NodeJS.CpuUsage) | undefined;
  if (ofThread === undefined) throw new Error("This Node does not count the processor time of a thread; take Node 24.");
  const { user, system } = ofThread.call(process);
  return (user + system) / 1_000;
}

async function timed(task: () => Promise<unknown>): Promise<readonly number[]> {
  const ms: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = processorMs();
    await task();
    ms.push(processorMs() - started);
  }
  return ms;
}

async function memoryMb(): Promise<Memory> {
  // What a weak reference led to in the running task outlives a collection within it, and what a finalizer lets go, one.
  for (let round = 0; round < collections; round += 1) {
    await new Promise(setImmediate);
    collect();
  }
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed / 1e6, resident: rss / 1e6 };
}

/** The last steps of the old session in turns with those of a young one, openings, and past prompts. */
async function compareWithYoung(): Promise<void> {
  const young = new Working("young");
  await young.work(earlyAt - late / 2);
  // In turns, so that whatever else the machine does hits both alike.
  for (let block = 0; block < blocks; block += 1) {
    await young.work(stepsPerBlock, times.early);
    await old.work(stepsPerBlock, times.late);
  }
  openingMs.early = await young.openingMs();
  await young.close();
  openingMs.late = await old.openingMs();
  pastMs.early = await old.pastMs(earlyAt / 2);
  pastMs.middle = await old.pastMs(steps / 2);
  pastMs.late = await old.pastMs(steps - 2 * earlyAt);
}

const old = new Working("old");
const times = { early: { assembleMs: [], recordMs: [] }, late: { assembleMs: [], recordMs: [] } } satisfies Record<
  string,
  BlockTimes
>;
const none: Memory = { heap: 0, resident: 0 };
const memory = { early: none, full: none, late: none };
const stepBytes = { early: 0, late: 0 };
const openingMs = { early: [] as readonly number[], late: [] as readonly number[] };
const pastMs = { early: [] as readonly number[], middle: [] as readonly number[], late: [] as readonly number[] };
let endedAt: number | undefined;
try {
  await old.work(earlyAt);
  memory.early = await memoryMb();
  await old.work(thousand - earlyAt);
  // The window is full by now.
  memory.full = await memoryMb();
  stepBytes.early = -old.databaseBytes / thousand;
  await old.work(thousand);
  stepBytes.early += old.databaseBytes / thousand;
  await old.work(steps - late - thousand - old.step);
  stepBytes.late = -old.databaseBytes / thousand;
  await old.work(thousand);
  stepBytes.late += old.databaseBytes / thousand;
  memory.late = await memoryMb();
  if (only !== "memory") await compareWithYoung();
} catch (error) {
  if (!isCmError(error) || error.code !== "session/window-exceeded") throw error;
  endedAt = old.step;
}
await old.close();
const figures: FlatFigures = {
  ...times,
  stepsPerBlock,
  memoryMb: memory,
  stepBytes,
  openingMs,
  pastMs,
  ...defined({ endedAt }),
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
