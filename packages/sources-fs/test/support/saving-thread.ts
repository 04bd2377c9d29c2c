import { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";

/** How long a save leaves no file there, and how long the file then is there before the next save. */
const [goneMs, thereMs] = [40, 60];

const program = `
  const fs = require("node:fs");
  const { file, other, cells, goneMs, thereMs } = require("node:worker_threads").workerData;
  const [saving, longest] = [0, 1];
  const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  function save(text, onGone) {
    const from = performance.now();
    fs.writeFileSync(other, text);
    fs.unlinkSync(file);
    onGone();
    sleep(goneMs);
    fs.renameSync(other, file);
    cells[longest] = Math.max(cells[longest], Math.ceil(performance.now() - from));
  }
  for (let n = 0; ; n += 1) {
    Atomics.wait(cells, saving, 0);
    cells[longest] = 0;
    save(n + "a", () => { Atomics.store(cells, saving, 2); Atomics.notify(cells, saving); });
    sleep(thereMs);
    save(n + "b", () => {});
    Atomics.store(cells, saving, 0);
    Atomics.notify(cells, saving);
  }`;

interface Saves {
  /** Resolves when both saves are done: for how many milliseconds the file was gone at most. */
  readonly longestGapMs: () => Promise<number>;
}

/**
 * A thread that saves a file twice when it is told to, each time with a gap in which nothing is there: the first begins
 * when this call resolves, the second is there when a later look confirms an absence.
 */
export function savingThread(file: string, other: string): () => Promise<Saves> {
  const [saving, longest] = [0, 1];
  const cells = new Int32Array(new SharedArrayBuffer(8));
  const thread = new Worker(program, { eval: true, workerData: { file, other, cells, goneMs, thereMs } });
  onTestFinished(async () => {
    await thread.terminate();
  });
  async function until(state: number): Promise<void> {
    for (let now = Atomics.load(cells, saving); now !== state; now = Atomics.load(cells, saving)) {
      await Atomics.waitAsync(cells, saving, now).value;
    }
  }
  return async () => {
    Atomics.store(cells, saving, 1);
    Atomics.notify(cells, saving);
    await until(2);
    const longestGapMs = async () => {
      await until(0);
      return cells[longest] ?? 0;
    };
    return { longestGapMs };
  };
}
