// Verifies: a call is late by the clock, and not because the loop was busy.
import { fileURLToPath } from "node:url";
import { MessageChannel } from "node:worker_threads";
import { createMemoryStore } from "@cm/object-model";
import { runWriter } from "@cm/testkit";
import { expect, it } from "vitest";
import { createWriteBehindStore } from "../src/index.ts";
import { idOf, prompt } from "./support/documents.ts";
import { Gate } from "./support/gate.ts";

it("counts an answer that came while the loop was busy", async () => {
  const base = createMemoryStore();
  const gate = new Gate(base);
  const store = createWriteBehindStore(gate.store, { deadlineMs: 20 });
  await store.commit([{ document: prompt("text"), expect: "absent" }]);
  // The answer comes with the next messages of the loop, as that of a thread does.
  gate.beforeEach = () => new Promise((resolve) => heardFromAPort(resolve));

  const reading = store.getMany([idOf(prompt(""))]);
  const busyUntil = performance.now() + 60;
  while (performance.now() < busyUntil) {}

  expect((await reading).size).toBe(1);
  expect(store.state.attached).toBe(true);
});

it("gives up a call that the clock says is late", async () => {
  const gate = new Gate(createMemoryStore());
  const store = createWriteBehindStore(gate.store, { deadlineMs: 20 });
  await store.commit([{ document: prompt("text"), expect: "absent" }]);
  gate.set("hanging");

  const found = await store.getMany([idOf(prompt(""))]);

  expect(found.get(idOf(prompt("")))?.document?.content).toBe("text");
  expect(store.state).toMatchObject({
    attached: false,
    reason: "The database did not answer within 20 ms; it is asked again.",
  });
  gate.set("open");
  expect(await store.flush(10_000)).toBe(true);
});

it("gives up a late call also in a process where nothing else happens", async () => {
  const script = fileURLToPath(new URL("./support/quiet-process.ts", import.meta.url));

  const end = await runWriter({ script, args: [] });

  expect(end).toEqual({ lines: ["text"], exitCode: 0, stderr: "" });
});

function heardFromAPort(then: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port2.once("message", () => {
    port2.close();
    then();
  });
  port1.postMessage("answer");
}
