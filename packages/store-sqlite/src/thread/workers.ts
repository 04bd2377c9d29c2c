import { Worker } from "node:worker_threads";
import { storeLimits } from "../limits.ts";

/** A thread that was started before its file was known. */
let spare: Worker | undefined;

/**
 * Starts the thread of the next store that is opened in one: most of what opening takes is the thread's own start. It
 * keeps no process alive. A second call does nothing as long as that thread waits.
 */
export function warmUpStoreThread(): void {
  if (spare !== undefined) return;
  const worker = startWorker(storeScript());
  spare = worker;
  // A worker that cannot start is dropped; opening a store starts another one and reports the error.
  for (const event of ["error", "exit"]) {
    worker.on(event, () => {
      if (spare === worker) spare = undefined;
    });
  }
}

/** Ends it where no store is opened after all. */
export function coolDownStoreThread(): void {
  void spare?.terminate();
  spare = undefined;
}

export function takeStoreWorker(): Worker {
  const worker = spare ?? startWorker(storeScript());
  spare = undefined;
  return worker;
}

/** A thread for a script. It keeps no process alive by default. */
export function startWorker(script: URL): Worker {
  // Flags of this process, such as `--input-type`, are none for a file.
  const resourceLimits = { maxYoungGenerationSizeMb: storeLimits.threadYoungMb };
  const worker = new Worker(script, { name: "cm-store", execArgv: [], resourceLimits });
  worker.unref();
  return worker;
}

const storeScript = (): URL => new URL("./store-worker.js", import.meta.url);
