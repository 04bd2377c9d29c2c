// @module-tag process
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, expect, it } from "vitest";
import { presetOf, serverWith } from "../support/running-server.ts";
import { folderWith, removed } from "../support/scripted.ts";

interface Turns {
  readonly items: readonly { readonly final_message: string }[];
}

let scripted: ScriptedModel;
beforeAll(async () => {
  scripted = await startScriptedModel();
});
afterAll(() => scripted.close());

it("runs an agent for who asks, streams its events, commits it, and goes on with it", async () => {
  const folder = folderWith({ "a.txt": "alpha\n" });
  const play = scripted.play([
    { thinking: "I look.", text: "Let me see.", calls: [{ name: "read", args: { path: "a.txt" } }] },
    { calls: [{ name: "bash", args: { command: "echo beta > a.txt" } }] },
    { text: "Done." },
    { text: "It was alpha." },
  ]);
  const server = await serverWith({ coder: presetOf(play, { folders: ["."] }) }, folder);

  const first = await server.whole({ input: "Make a.txt say beta, please." });
  const second = await server.whole({ conversation_id: first.conversationId, input: "What was it?" });
  const session = await (await server.get(`/api/sessions/${first.runId}/get?include_state=true`)).json();
  const conversation = await (await server.get(`/api/conversations/${first.conversationId}/get`)).json();
  const turns = (await (await server.get(`/api/conversations/${first.conversationId}/turns`)).json()) as Turns;

  expect(first.events.map(({ event }) => event.type)).toMatchInlineSnapshot(`
    [
      "RUN_STARTED",
      "STEP_STARTED",
      "CUSTOM",
      "REASONING_START",
      "REASONING_MESSAGE_START",
      "REASONING_MESSAGE_CONTENT",
      "REASONING_MESSAGE_END",
      "REASONING_END",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "TOOL_CALL_START",
      "TOOL_CALL_ARGS",
      "TOOL_CALL_END",
      "TOOL_CALL_RESULT",
      "CUSTOM",
      "CUSTOM",
      "STEP_FINISHED",
      "STEP_STARTED",
      "TOOL_CALL_START",
      "TOOL_CALL_ARGS",
      "TOOL_CALL_END",
      "CUSTOM",
      "TOOL_CALL_RESULT",
      "CUSTOM",
      "CUSTOM",
      "STEP_FINISHED",
      "STEP_STARTED",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "CUSTOM",
      "CUSTOM",
      "STEP_FINISHED",
      "RUN_FINISHED",
    ]
  `);
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("beta\n");
  expect(session).toMatchObject({
    status: "committed",
    conversation_id: first.runId,
    parent_session_id: null,
    final_message: "Done.",
    step: { session: first.runId, n: 2 },
    run_summary: { usage: { model_requests: 3 } },
  });
  expect(second).toMatchObject({ conversationId: first.conversationId });
  expect(conversation).toMatchObject({
    title: "Make a.txt say beta, please.",
    latest_session: { session_id: second.runId, parent_session_id: first.runId, step: { n: 3 } },
    active_session: null,
  });
  expect(turns.items.map(({ final_message }) => final_message)).toEqual(["Done.", "It was alpha."]);
  expect(play.unreadable).toEqual([]);
  await server.stop();
  removed(folder);
});
