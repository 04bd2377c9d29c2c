// @module-tag process
// Verifies: the domain model, rule by rule and over HTTP, as far as the laws of governed sessions do not show it.
import { createMemoryStore } from "@cm/object-model";
import { type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serverTypes } from "../../src/store/open-store.ts";
import { answerOf, everything, rest, serversIn, untilCustom } from "../support/governed.ts";
import { inMemory } from "../support/mortal-server.ts";
import { namesOf, presetOf } from "../support/running-server.ts";
import { folderWith, removed } from "../support/scripted.ts";

let scripted: ScriptedModel;
const folder = folderWith({ "a.txt": "alpha\n" });
beforeAll(async () => {
  scripted = await startScriptedModel();
});
afterAll(async () => {
  await scripted.close();
  removed(folder);
});

const governedServer = serversIn({
  open: async () => createMemoryStore({ types: serverTypes }),
  mortal: inMemory,
});
type Parts = Parameters<typeof governedServer>[2];

/** A server whose agents say what a test wants, in the folder and without one. */
async function serverSaying(answers: Parameters<ScriptedModel["play"]>[0], parts: Parts = {}) {
  const play = scripted.play(answers);
  const presets = { coder: presetOf(play, { folders: ["."] }), chat: presetOf(play, { tools: [] }) };
  return { play, server: await governedServer(presets, folder, parts) };
}

interface Items {
  readonly items: readonly Record<string, unknown>[];
}
const session = (id: string) => `/api/governance/sessions/${id}`;
const readCall = { calls: [{ id: "call-1", name: "read", args: { path: "a.txt" } }] };

describe("a workspace", () => {
  it("of a chat is made for it alone; that of a folder is found again, and each use renews it", async () => {
    const { server } = await serverSaying([{ text: "1" }, { text: "2" }, { text: "3" }, { text: "4" }]);
    const started = server.clock.now();
    const all = async () => (await server.json<Items>("/api/governance/workspaces")).items;

    for (const preset_id of ["chat", "chat", "coder"]) await server.whole({ input: "Hi.", preset_id });
    server.clock.pass(5_000);
    await server.whole({ input: "Hi.", preset_id: "coder" });
    const found = await all();
    const sessions = await Promise.all(
      found.map(async ({ workspace_id: id }) => {
        const { items } = await server.json<Items>(`/api/governance/workspaces/${id}/sessions`);
        return items.length;
      }),
    );

    expect(found.map(({ workspace_scope }) => workspace_scope)).toEqual(["local", "general", "general"]);
    expect(sessions).toEqual([2, 1, 1]);
    expect(found[0]).toMatchObject({
      ...{ created_at: new Date(started).toISOString(), last_active_at: new Date(started + 5_000).toISOString() },
      ...{ tenant_id: "local", user_id: "local", local_path: folder },
    });
    await server.stop();
  });
});

describe("a session", () => {
  it("that was closed or cancelled takes no task, is not resumed, and ends once", async () => {
    for (const [how, status] of [
      ["close", "SESSION_COMPLETED"],
      ["cancel", "SESSION_CANCELLED"],
    ] as const) {
      const { server } = await serverSaying([{ text: "Blue." }, { text: "Never." }]);
      const { conversationId: id } = await server.whole({ input: "Which colour?" });

      const ended = await server.post(`${session(id)}/${how}`);
      const answers = [
        await server.post("/api/conversations/run", { conversation_id: id, input: "More." }),
        await server.post(`${session(id)}/resume`),
        await server.post(`${session(id)}/close`),
        await server.post(`${session(id)}/cancel`),
      ];

      expect(await ended.json()).toMatchObject({ status });
      expect(answers.map((answer) => answer.status)).toEqual([409, 409, 409, 409]);
      expect(await server.json(session(id))).toMatchObject({ status });
      await server.stop();
    }
  });

  it("that was not resumed within a day after its policy ran out fails when it is tried", async () => {
    const { server } = await serverSaying([{ text: "Blue." }]);
    const { conversationId: id } = await server.whole({ input: "Which colour?" });

    server.clock.pass(3_600_000 + 86_400_000);
    const late = await server.post(`${session(id)}/resume`);

    expect(late.status).toBe(409);
    expect(await server.json(session(id))).toMatchObject({ status: "SESSION_FAILED" });
    await server.stop();
  });

  it("that there is not, or whose task there is not, is not found", async () => {
    const { server } = await serverSaying([{ text: "Blue." }]);
    const { conversationId: id, runId } = await server.whole({ input: "Which colour?" });

    for (const path of ["", "/tasks", "/history", "/checkpoint"])
      expect([path, (await server.get(`${session("none")}${path}`)).status]).toEqual([path, 404]);
    for (const path of [
      ...["/resume", "/close", "/cancel", "/tasks/none/cancel", "/tasks/none/recover"].map((end) => `none${end}`),
      ...[`${id}/tasks/none/cancel`, `${id}/tasks/${runId}/cancel`, `${id}/tasks/${runId}/recover`],
    ])
      expect([path, (await server.post(session(path))).status]).toEqual([path, 404]);
    await server.stop();
  });
});

describe("a task", () => {
  it("has 1 to 200 steps and one of three modes, and one that has not is refused before it begins", async () => {
    const { server, play } = await serverSaying([{ text: "Blue." }]);

    for (const task of [
      ...[0, 201, 1.5, "10"].map((max_steps) => ({ max_steps })),
      ...[{ approval_mode: "sometimes" }, { allow_network: "no" }, { unknown: 1 }],
    ])
      expect((await server.post("/api/conversations/run", { input: "Hi.", task })).status).toBe(422);
    await server.whole({ input: "Hi.", task: { max_steps: 200 } });

    expect(play.requests).toHaveLength(1);
    await server.stop();
  });

  it.each([
    ["always", everything, "read", true],
    ["on_risky_actions", everything, "read", false],
    ["on_risky_actions", everything, "bash", true],
    ["never", everything, "bash", false],
    ["never", [{ name: "File.Read", requiresApproval: true }], "read", true],
  ] as const)("in the mode %s under %j asks for %s: %s", async (approval_mode, capabilities, name, asks) => {
    const args = name === "read" ? { path: "a.txt" } : { command: "echo ran" };
    const { server } = await serverSaying([{ calls: [{ id: "call-1", name, args }] }, { text: "Done." }], {
      capabilities,
    });

    const events = await server.run({ input: "Go.", task: { approval_mode } });
    const { conversationId } = namesOf((await events.next()).value);
    if (asks) {
      const { approval_id } = await untilCustom<{ approval_id: string }>(events, "approval_requested");
      await answerOf(server, approval_id, { decision: "approved" });
    }
    await rest(events);

    const story = await server.audit(conversationId);
    const approvals = story.filter(({ boundedContext }) => boundedContext === "Approval");
    const risk = name === "read" ? "low" : "high";
    expect(approvals.map(({ payload }) => [payload.callId, payload.toolName, payload.risk, payload.decision])).toEqual(
      asks ? [undefined, "approved"].map((decision) => ["call-1", name, risk, decision]) : [],
    );
    expect(story.find(({ eventType }) => eventType === "tool_completed")?.payload.status).toBe("ok");
    await server.stop();
  });

  it("that failed or was cancelled has its session's history replaced, and its session goes on", async () => {
    const { server } = await serverSaying([readCall, readCall, { text: "Blue." }], { llmPolicy: {} });

    const failed = await server.whole({ input: "Read twice.", task: { max_steps: 1 } });
    const id = failed.conversationId;
    const afterFailure = await server.json<Record<string, unknown>>(`${session(id)}/history`);
    server.clock.pass(1);
    const next = await server.whole({ conversation_id: id, input: "And now?" });
    const afterNext = await server.json<Record<string, unknown>>(`${session(id)}/history`);
    const { items: tasks } = await server.json<Items>(`${session(id)}/tasks`);

    expect(tasks).toMatchObject([
      { task_id: next.runId, status: "completed", reason: null },
      { task_id: failed.runId, status: "failed", reason: "max_steps_exceeded", steps: 1, max_steps: 1 },
    ]);
    expect(afterFailure).toMatchObject({ artifact_type: "session_history", snapshot_after_task_id: failed.runId });
    expect(afterNext).toMatchObject({ snapshot_after_task_id: next.runId, session_id: id });
    const messages = afterNext.messages as readonly Record<string, unknown>[];
    expect(messages.map(({ role }) => role)).toEqual([
      ...["system", "user", "assistant", "tool", "user", "assistant", "tool", "assistant"],
    ]);
    expect(messages.every((message) => message.session_id === id && typeof message.timestamp === "string")).toBe(true);
    expect(new Set(messages.map(({ message_id }) => message_id)).size).toBe(messages.length);
    await server.stop();
  });
});

describe("the audit", () => {
  it("has what is longer than an event's text as far as that goes", async () => {
    const { server } = await serverSaying([{ text: "Done." }]);
    const part = { type: "text", text: "x".repeat(600_000) };
    const { conversationId: id } = await server.whole({ input: [part, part], preset_id: "chat" });

    const story = await server.audit(id);
    const prompt = `${story.find(({ eventType }) => eventType === "task_started")?.payload.prompt}`;

    expect(prompt).toMatch(/^x+\n\nx+ \[cut: it has 1200002 characters\]$/);
    expect(prompt).toHaveLength(1_048_576);
    expect(story.at(-1)).toMatchObject({ eventType: "task_completed" });
    await server.stop();
  });

  it("is read by session and time, newest first and in pages, and stays when the history goes", async () => {
    const { server } = await serverSaying([{ text: "Blue." }, { text: "Red." }]);
    const { conversationId: id } = await server.whole({ input: "Which colour?" });
    const begun = server.clock.now();
    server.clock.pass(60_000);
    await server.whole({ conversation_id: id, input: "And now?" });
    const from = new Date(begun + 60_000).toISOString();
    const audit = (query: string) =>
      server.json<Items & { next_cursor: string | null }>(`${session(id)}/audit?${query}`);

    const all = (await audit("limit=200")).items;
    const later = (await audit(`limit=200&from=${from}`)).items;
    const earlier = (await audit(`limit=200&to=${from}`)).items;
    const first = await audit("limit=3");
    const second = await audit(`limit=3&cursor=${first.next_cursor}`);
    await fetch(`${server.url}${session(id)}/history`, { method: "DELETE" });
    const after = (await audit("limit=200")).items;

    expect([...later, ...earlier]).toEqual(all);
    expect(later.every(({ timestamp }) => timestamp === from)).toBe(true);
    expect(later.length).toBeGreaterThan(5);
    expect([...first.items, ...second.items]).toEqual(all.slice(0, 6));
    expect(after.slice(1)).toEqual(all);
    expect(after[0]).toMatchObject({ eventType: "history_deleted", taskId: null });
    expect((await server.get(`${session(id)}/history`)).status).toBe(404);
    await server.stop();
  });
});
