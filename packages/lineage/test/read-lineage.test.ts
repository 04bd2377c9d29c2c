// Verifies: what servers wrote is read without taking an owner's name, so that nobody's runs are touched.
import { createMemoryStore, everyVersion } from "@cm/object-model";
import { expect, it } from "vitest";
import { lineageTypes, openLineage, readLineage } from "../src/index.ts";

it("reads conversations, runs and turns, and writes nothing", async () => {
  const store = createMemoryStore({ types: lineageTypes });
  const lineage = await openLineage({ store });
  const { session_id: id } = await lineage.root({ id: "one", input: "Hello" });
  await lineage.commit(id, {
    status: "committed",
    state: { step: { session: "one", n: 0 }, basis: "1" },
    output: "Yes.",
  });
  const all = async () => {
    const found: string[] = [];
    for (const type of ["run", "conversation", "mail", "run_owner"]) {
      for await (const { id: each, token } of everyVersion((page) => store.find({ type }, page)))
        found.push(`${each} ${token}`);
    }
    return found;
  };
  const before = await all();

  const reader = readLineage({ store });

  expect(await reader.run("one")).toEqual(await lineage.run("one"));
  expect(await reader.runs({ conversationId: "one" })).toEqual(await lineage.runs({ conversationId: "one" }));
  expect(await reader.conversation("one")).toEqual(await lineage.conversation("one"));
  expect((await reader.conversations()).conversations).toHaveLength(1);
  expect(await reader.turns("one")).toEqual(await lineage.turns("one"));
  expect(await all()).toEqual(before);
});
