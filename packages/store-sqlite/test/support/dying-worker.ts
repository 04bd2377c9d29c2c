// Stands in for a store's thread that dies: it opens, answers one read, and ends without a word at the next call.
import { parentPort } from "node:worker_threads";

parentPort?.on("message", ({ id, job }: { readonly id: number; readonly job: string }) => {
  if (job === "open") parentPort?.postMessage({ id, answer: { path: "nowhere" } });
  else if (job === "history") parentPort?.postMessage({ id, answer: { versions: [] } });
  else process.exit(1);
});
