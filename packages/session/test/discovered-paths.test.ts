// Verifies: SSOT 5.6: of what a call's output names, only what is there becomes an object.
import { createMemoryStore, type ObserveRequest } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { createMemorySource, MemoryWorld } from "@cm/testkit";
import { expect, it } from "vitest";
import { openSession } from "../src/index.ts";

it("asks for a path that only output names without waiting for its absence to last", async () => {
  const world = new MemoryWorld("w");
  world.put("src/a.ts", Buffer.from("export const a = 1;\n"));
  const asked: ObserveRequest[] = [];
  const base = createMemorySource(world);
  const source: typeof base = {
    ...base,
    observe: (requests, limits) => {
      asked.push(...requests);
      return base.observe(requests, limits);
    },
  };
  const session = await openSession({
    ...{ store: createMemoryStore(), sources: [source], layout: layouts.log, rendererFor, session: "s" },
  });
  const named = (path: string) => ({ binding: { type: "memory", world: "w", path }, as: "discovered" as const });
  await session.receive([{ role: "user", text: "Look." }]);
  await session.assemble();

  await session.record({
    answer: { role: "assistant", text: "", calls: [{ callId: "c1", tool: "bash", args: { command: "ls" } }] },
    results: [
      { role: "tool", callId: "c1", text: "a.ts b.ts", failed: false, files: [named("src/a.ts"), named("src/b.ts")] },
    ],
  });

  expect(asked.map(({ known, want }) => ({ known, want }))).toEqual([
    { known: { absent: true }, want: "existence" },
    { known: { absent: true }, want: "existence" },
  ]);
  expect((await session.objects()).filter(({ kind }) => kind === "file")).toHaveLength(1);
});
