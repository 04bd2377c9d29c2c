// @module-tag process
// Verifies: reference "Pause": who is told of a pause can resume the session on any server of the store.
import { setImmediate as turn } from "node:timers/promises";
import { createMemoryStore } from "@cm/object-model";
import { type Script, startScriptedModel } from "@cm/scripted-models";
import { expect, it, onTestFinished } from "vitest";
import { serverTypes } from "../../src/store/open-store.ts";
import { governedServer, rest, untilCustom } from "../support/governed.ts";
import { namesOf, presetOf } from "../support/running-server.ts";
import { folderWith, removed } from "../support/scripted.ts";

/** A governed server on a store that writes a pause slower than the server answers its clients. */
async function slowToPause(script: (expire: () => void) => Script) {
  const scripted = await startScriptedModel();
  const folder = folderWith({ "a.txt": "alpha\n" });
  const store = createMemoryStore({ types: serverTypes });
  const commit = store.commit.bind(store);
  const order: string[] = [];
  store.commit = async (...given) => {
    const isPause = given[0].some(({ document }) => document.status === "SESSION_PAUSED");
    for (let turns = isPause ? 20_000 : 0; turns > 0 && order.length === 0; turns -= 1) await turn();
    if (isPause) order.push("written");
    return commit(...given);
  };
  const play = scripted.play(script(() => server.clock.pass(3_600_000)));
  const server = await governedServer({ p: presetOf(play, { folders: ["."] }) }, folder, { server: { store } });
  onTestFinished(async () => {
    await server.stop();
    await scripted.close();
    removed(folder);
  });
  return { server, order };
}

it("refuses a task of a paused session once the records say that it is paused", async () => {
  const { server, order } = await slowToPause(() => [{ text: "One." }]);
  const { conversationId } = await server.whole({ input: "First." });
  server.clock.pass(3_600_000);

  await expect(server.governance.checkStart(conversationId)).rejects.toMatchObject({ code: "server/session-paused" });
  order.push("refused");

  expect(order).toEqual(["written", "refused"]);
});

it("tells of a pause in the middle of a run once the records say so", async () => {
  const { server, order } = await slowToPause((expire) => [
    () => {
      expire();
      return { calls: [{ id: "late", name: "read", args: { path: "a.txt" } }] };
    },
  ]);
  const events = await server.run({ input: "Read." });
  const { conversationId, runId } = namesOf((await events.next()).value);

  await untilCustom(events, "session_paused");
  order.push("told");
  server.governance.cancelTask({ session_id: conversationId, task_id: runId });
  await rest(events);

  expect(order[0]).toBe("written");
});
