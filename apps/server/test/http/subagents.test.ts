// @module-tag process
import { type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, expect, it } from "vitest";
import { gate, presetOf, serverWith } from "../support/running-server.ts";
import { folderWith, removed } from "../support/scripted.ts";

let scripted: ScriptedModel;
let folder: string;
beforeAll(async () => {
  scripted = await startScriptedModel();
  folder = folderWith({});
});
afterAll(async () => {
  await scripted.close();
  removed(folder);
});

it("works beside the run that began it, posts what it found, and goes on where it was the next time", async () => {
  const { open, opened } = gate();
  const delegate = (task: string) => ({ calls: [{ name: "delegate", args: { subagent: "scout", task } }] });
  const main = scripted.play([
    delegate("Look."),
    { text: "It looks." },
    { text: "Thanks." },
    delegate("Look again."),
    { text: "Once more." },
  ]);
  const scout = scripted.play(async ({ index }) => {
    if (index === 0) await opened;
    return { text: `Found ${index}.` };
  });
  const presets = {
    main: presetOf(main, { subagents: [{ name: "scout", preset: "scout", description: "Looks for things." }] }),
    scout: presetOf(scout),
  };
  const server = await serverWith(presets, folder);

  const first = await server.whole({ input: "Send a scout." });
  const of = `/api/conversations/${first.conversationId}`;
  const early = (await server.post(`${of}/fire`, {})).status;
  open();
  await Promise.all(server.runtime.live.running().map(({ done }) => done));
  const mailbox = await (await server.get(`${of}/mailbox`)).json();
  const fired = await server.whole({ transport: "sse", input: "What now?" }, `${of}/fire`);
  await server.whole({ conversation_id: first.conversationId, input: "Again." });
  await Promise.all(server.runtime.live.running().map(({ done }) => done));

  const scouts = await server.runtime.lineage.runs({ conversationId: first.conversationId, type: "async_subagent" });
  expect(early).toBe(422);
  expect(mailbox).toMatchObject({ items: [{ subagent_name: "scout", outcome: "result" }] });
  expect(JSON.stringify(main.requests[2]?.body)).toContain("Found 0.");
  expect(JSON.stringify(main.requests[2]?.body)).toContain("What now?");
  expect(await server.runtime.lineage.run(fired.runId)).toMatchObject({
    parent_session_id: first.runId,
    output: "Thanks.",
  });
  expect(scouts.runs).toMatchObject([
    { parent_session_id: scouts.runs[1]?.session_id, spawned_by: expect.any(String), output: "Found 1." },
    { parent_session_id: null, spawned_by: first.runId, output: "Found 0." },
  ]);
  expect(JSON.stringify(scout.requests[1]?.body)).toContain("Found 0.");
  await server.stop();
});
