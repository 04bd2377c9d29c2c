// Verifies: SSOT 4.4 (10): what a full window left out is listed as what it is.
import { createMemoryStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { openSession, sessionAt } from "@cm/session";
import { expect, it } from "vitest";
import { withLeftOut } from "../../src/objects/left-out.ts";
import { objectRow, objectValue } from "../../src/objects/leveled.ts";

it("lists a call that left the prompt with what it asked for, and how long its output is", async () => {
  const store = createMemoryStore();
  const window = { bytesMax: 4_000 };
  const session = await openSession({ store, layout: layouts.log, rendererFor, session: "s", window });
  for (let turn = 0; turn < 60; turn += 1) {
    const calls = [{ callId: `c${turn}`, tool: "bash", args: { command: `make part-${turn}` } }];
    await session.receive([{ role: "user", text: "Go on." }]);
    await session.assemble();
    const text = "x".repeat(500);
    const answer = { role: "assistant" as const, text: "", calls };
    await session.record({ answer, results: [{ role: "tool", callId: `c${turn}`, text, failed: false }] });
  }
  const { objects } = await sessionAt(store, { session: "s", n: 59 });

  const [first] = await withLeftOut(store, objects);

  expect(objects[0]?.text).toBeNull();
  expect(first && objectRow(first)).toEqual(["t1", "inactive", "500", "bash make part-0"]);
  expect(first && objectValue(first)).toMatchObject({ chars: 500, args: "make part-0" });
  expect(first?.text).toBeNull();
});
