// Verifies: F13: a conversation whose newest run is not there goes on from no older one unnoticed.
import { createMemoryStore } from "@cm/object-model";
import { expect, it } from "vitest";
import { lineageTypes } from "../src/index.ts";
import { committed, refused, World } from "./support/world.ts";

/** A conversation of two committed runs. */
async function twoRuns() {
  const world = new World(createMemoryStore({ types: lineageTypes }));
  const lineage = await world.open();
  const first = await lineage.root({ input: "one" });
  await lineage.commit(first.session_id, committed());
  const conversationId = first.conversation_id;
  const second = await lineage.continue({ conversationId, input: "two" });
  await lineage.commit(second.session_id, committed());
  return { world, lineage, conversationId, first, second };
}

it("refuses to go on, and to fork the newest, and forks from a run that is there", async () => {
  const { world, lineage, conversationId, second } = await twoRuns();
  const third = await lineage.continue({ conversationId, input: "three" });
  await lineage.fail(third.session_id, "No answer.");

  await world.store.erase([`run:${third.session_id}`], "lost");

  const error = await refused(lineage.continue({ conversationId, input: "four" }), "lineage/run-missing");
  expect(error.message).toContain(`The newest run of the conversation ${conversationId} is not there`);
  await refused(lineage.fork({ conversationId, input: "four" }), "lineage/run-missing");
  const fork = await lineage.fork({ conversationId, from: second.session_id, input: "four" });
  expect(fork.parent_session_id).toBe(second.session_id);
});

it("goes on behind a newest run that failed, or was archived", async () => {
  const { lineage, conversationId, first, second } = await twoRuns();
  await lineage.archive(second.session_id);

  const third = await lineage.continue({ conversationId, input: "three" });

  expect(third.parent_session_id).toBe(first.session_id);
});
