// A store's thread as it is, that tells how its connections were set: as an unrequested answer.
import { parentPort } from "node:worker_threads";
import { onSynchronousAtClose } from "./synchronous-at-close.ts";

onSynchronousAtClose((level) => parentPort?.postMessage({ id: -1, answer: { synchronous: level } }));
await import("../../src/thread/worker.ts");
