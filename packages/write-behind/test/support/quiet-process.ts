// A process whose base hangs and in which nothing turns the loop: node quiet-process.ts
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { createMemoryStore } from "@cm/object-model";
import { createWriteBehindStore } from "@cm/write-behind";
import { prompt, textIn } from "./documents.ts";
import { Gate } from "./gate.ts";

const gate = new Gate(createMemoryStore());
const store = createWriteBehindStore(gate.store, { deadlineMs: 20 });
await store.commit([{ document: prompt("text"), expect: "absent" }]);
gate.set("hanging");
// A timer of this thread would turn the loop itself, and be overtaken in that turn.
const ticking =
  'const { parentPort } = require("node:worker_threads"); setTimeout(() => parentPort.postMessage(""), 3_000);';
const other = new Worker(ticking, { eval: true });
other.on("message", () => console.log("too late"));
await once(other, "online");
console.log(await textIn(store, prompt("")));
await other.terminate();
