// @module-tag process
// Verifies: reference "Pause": who is told of a pause can resume the session on any server of the store.
import { setImmediate as turn } from "node:timers/promises";
import { createMemoryStore } from "@cm/object-model";
import { startScriptedModel } from "@cm/scripted-models";
import { expect, it, onTestFinished } from "vitest";
import { serverTypes } from "../../src/store/open-store.ts";
import { governedServer } from "../support/governed.ts";
import { presetOf } from "../support/running-server.ts";
import { folderWith, removed } from "../support/scripted.ts";

it("refuses a task of a paused session once the records say that it is paused", async () => {
  const scripted = await startScriptedModel();
  const folder = folderWith({});
  const store = createMemoryStore({ types: serverTypes });
  const commit = store.commit.bind(store);
  const order: string[] = [];
  store.commit = async (...given) => {
    const isPause = JSON.stringify(given[0]).includes('"SESSION_PAUSED"');
    // As a store that is slower than the answer to the client.
    for (let turns = isPause ? 100 : 0; turns > 0; turns -= 1) await turn();
    if (isPause) order.push("written");
    return commit(...given);
  };
  const server = await governedServer({ p: presetOf(scripted.play([{ text: "One." }])) }, folder, {
    server: { store },
  });
  onTestFinished(async () => {
    await server.stop();
    await scripted.close();
    removed(folder);
  });
  const { conversationId } = await server.whole({ input: "First." });
  server.clock.pass(3_600_000);

  await expect(server.governance.checkStart(conversationId)).rejects.toMatchObject({ code: "server/session-paused" });
  order.push("refused");

  expect(order).toEqual(["written", "refused"]);
});
