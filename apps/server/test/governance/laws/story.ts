import type { TelemetryEvent } from "@cm/governance";
import type { ObjectStore } from "@cm/object-model";
import { type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, expect, it } from "vitest";
import { answerOf, type GovernedWorld, rest, serversIn, untilCustom } from "../../support/governed.ts";
import { gate, namesOf, presetOf } from "../../support/running-server.ts";
import { folderWith, removed } from "../../support/scripted.ts";

/** Words that stand in this test alone. */
const planted = Array.from({ length: 1_000 }, (_, place) => `zq${place.toString(36).padStart(3, "0")}x`);
const some = (from: number) => planted.slice(from, from + 200).join(" ");

/** What is told of a session. */
export function storyLaws(world: GovernedWorld): void {
  let scripted: ScriptedModel;
  beforeAll(async () => {
    scripted = await startScriptedModel();
  });
  afterAll(() => scripted.close());
  const governedServer = serversIn(world);

  it("tells the story of a session in order, each record with its whole chain, and telemetry none of its words", async () => {
    const folder = folderWith({ "a.txt": some(0) });
    const play = scripted.play([
      {
        ...{ thinking: some(200), text: some(400) },
        calls: [
          { id: "two", name: "bash", args: { command: `echo ${some(600)}; exit 3` } },
          { id: "three", name: `no-${planted[999]}`, args: {} },
        ],
      },
      { calls: [{ id: "one", name: "read", args: { path: "a.txt" } }] },
      { text: some(400) },
    ]);
    const store = await world.open();
    const server = await governedServer({ p: presetOf(play, { folders: ["."] }) }, folder, { server: { store } });

    const events = await server.run({ input: some(800) });
    const { runId: taskId, conversationId: sessionId } = namesOf((await events.next()).value);
    const asked = await untilCustom<{ approval_id: string }>(events, "approval_requested");
    await answerOf(server, asked.approval_id, { decision: "approved" });
    await rest(events);
    await server.governance.artifactsKept();
    await server.post(`/api/governance/sessions/${sessionId}/close`);
    const story = await server.audit(sessionId);
    const { workspace_id: workspaceId } = await server.json<{ workspace_id: string }>(
      `/api/governance/sessions/${sessionId}`,
    );

    const isOutside = new Set([
      ...["workspace_created", "session_created", "policy_bundle_issued", "session_started", "session_completed"],
    ]);
    for (const event of story) {
      expect(event).toMatchObject({ workspaceId, sessionId, tenantId: "local", userId: "local" });
      if (isOutside.has(event.eventType)) expect(event).toMatchObject({ taskId: null, stepId: null });
      else if (event.taskId !== null)
        expect(event).toMatchObject({ taskId, stepId: expect.stringMatching(/^step-\d+$/) });
      else expect(event.eventType).toBe("session_state_changed");
    }
    const { versions: calls } = await store.find({ type: "toolcall" }, { documents: true });
    expect(
      calls.map(({ document }) => document).sort((a, b) => (`${a?.["xt/id"]}` < `${b?.["xt/id"]}` ? -1 : 1)),
    ).toMatchObject(
      ["step-2", "step-1", "step-1"].map((step_id) => ({
        id_chain: { workspace_id: workspaceId, session_id: sessionId, task_id: taskId, step_id },
      })),
    );
    const told = story.map(({ eventType, payload }) =>
      eventType === "session_state_changed" ? `-> ${payload.to}` : eventType,
    );
    expect(told).toMatchInlineSnapshot(`
    [
      "workspace_created",
      "session_created",
      "policy_bundle_issued",
      "-> SESSION_RUNNING",
      "session_started",
      "task_started",
      "step_started",
      "llm_request_started",
      "-> WAITING_FOR_LLM",
      "llm_request_completed",
      "-> SESSION_RUNNING",
      "tool_requested",
      "tool_completed",
      "tool_requested",
      "approval_requested",
      "-> WAITING_FOR_APPROVAL",
      "approval_resolved",
      "-> SESSION_RUNNING",
      "-> WAITING_FOR_TOOL",
      "tool_completed",
      "-> SESSION_RUNNING",
      "step_completed",
      "step_started",
      "llm_request_started",
      "-> WAITING_FOR_LLM",
      "llm_request_completed",
      "-> SESSION_RUNNING",
      "tool_requested",
      "-> WAITING_FOR_TOOL",
      "tool_completed",
      "-> SESSION_RUNNING",
      "step_completed",
      "step_started",
      "llm_request_started",
      "-> WAITING_FOR_LLM",
      "llm_request_completed",
      "-> SESSION_RUNNING",
      "step_completed",
      "history_saved",
      "task_completed",
      "artifact_created",
      "artifact_created",
      "artifact_created",
      "-> SESSION_COMPLETED",
      "session_completed",
    ]
  `);
    await expect.poll(() => server.telemetry.length).toBe(story.length);
    const text = JSON.stringify(server.telemetry);
    expect(planted.filter((word) => text.includes(word))).toEqual([]);
    const audited = JSON.stringify(story);
    expect(planted.filter((word) => audited.includes(word)).length).toBeGreaterThanOrEqual(400);
    await server.stop();
    removed(folder);
  });

  it("waits neither for an audit nor for telemetry that never answers", async () => {
    const folder = folderWith({ "a.txt": "alpha\n" });
    const play = scripted.play([{ calls: [{ name: "read", args: { path: "a.txt" } }] }, { text: "Done." }]);
    const { open, opened } = gate();
    const store = await world.open();
    const records: ObjectStore = {
      contract: store.contract,
      getMany: (...given) => store.getMany(...given),
      find: (...given) => store.find(...given),
      history: (...given) => store.history(...given),
      erase: (...given) => store.erase(...given),
      commit: async (writes, options) => {
        if (writes.some(({ document }) => document.type === "governed_event")) await opened;
        return store.commit(writes, options);
      },
    };
    const told: string[] = [];
    const telemetry = async ({ eventType }: TelemetryEvent) => {
      await opened;
      told.push(eventType);
    };
    const server = await governedServer({ p: presetOf(play, { folders: ["."] }) }, folder, { records, telemetry });

    const first = await server.whole({ input: "Read." });
    const toldBefore = [...told];
    open();
    const story = await server.audit(first.conversationId);
    await server.stop();

    expect(first.events.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", result: { status: "committed" } });
    expect(toldBefore).toEqual([]);
    expect(story.map(({ eventType }) => eventType)).toContain("task_completed");
    expect(told).toEqual(story.map(({ eventType }) => eventType));
    removed(folder);
  });
}
