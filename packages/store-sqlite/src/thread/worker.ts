import { parentPort } from "node:worker_threads";
import { faultOf } from "./faults.ts";
import { JobDesk } from "./job-desk.ts";
import type { Order, Reply } from "./messages.ts";

const desk = new JobDesk();
let last: Promise<void> = Promise.resolve();

// One after the other, so that calls are answered in the order in which they came.
parentPort?.on("message", (order: Order) => {
  last = last.then(() => answer(order));
});

async function answer(order: Order): Promise<void> {
  parentPort?.postMessage(await replyTo(order));
}

async function replyTo(order: Order): Promise<Reply> {
  try {
    return { id: order.id, answer: await desk.do(order) };
  } catch (error) {
    return { id: order.id, fault: faultOf(error) };
  }
}
