// A store's thread as it is, that tells what its commits wait for: as an unrequested answer.
import { parentPort } from "node:worker_threads";
import { onSynchronousOfCommits } from "./synchronous-of-commits.ts";

onSynchronousOfCommits((level) => parentPort?.postMessage({ id: -1, answer: { synchronous: level } }));
await import("../../src/thread/worker.ts");
