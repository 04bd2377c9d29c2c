import { parentPort, workerData } from "node:worker_threads";
import type { Message, Order, ReturnedBuffers, ThreadData } from "./messages.ts";
import { ReadingThread } from "./reading-thread.ts";

const thread = new ReadingThread(workerData as ThreadData);
const waiting: { readonly order: Order; readonly work: ReturnType<ReadingThread["work"]> }[] = [];

/** One slice of the first task; then its turn comes again after the others, and after what came meanwhile. */
function turn(): void {
  const current = waiting.shift();
  if (current === undefined) return;
  const { id, control } = current.order;
  const step = Atomics.load(control, 0) === 0 ? current.work.next() : { done: true as const, value: undefined };
  const pieces = thread.slabs.take();
  const reply = step.value === undefined ? {} : { reply: step.value };
  const message: Message = { id, pieces, done: step.done === true, ...reply };
  if (!step.done) waiting.push(current);
  parentPort?.postMessage(message, pieces);
  if (waiting.length > 0) setImmediate(turn);
}

parentPort?.on("message", (order: Order | ReturnedBuffers) => {
  if ("pieces" in order) {
    thread.slabs.giveBack(order.pieces);
    return;
  }
  waiting.push({ order, work: thread.work(order) });
  if (waiting.length === 1) setImmediate(turn);
});
