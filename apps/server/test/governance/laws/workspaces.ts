import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promptText, type ScriptedModel, type SentPrompt, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readEvents } from "../../../src/client.ts";
import { accessOf } from "../../../src/http/access.ts";
import { type GovernedWorld, rest, serversIn, untilCustom } from "../../support/governed.ts";
import { namesOf, presetOf } from "../../support/running-server.ts";
import { folderWith, removed } from "../../support/scripted.ts";

interface Items {
  readonly items: readonly Record<string, unknown>[];
}

/** Sessions in their workspaces, beyond one run and one server. */
export function workspaceLaws(world: GovernedWorld): void {
  let scripted: ScriptedModel;
  beforeAll(async () => {
    scripted = await startScriptedModel();
  });
  afterAll(() => scripted.close());
  const governedServer = serversIn(world);

  it("has one workspace for a folder with all its sessions, and deletes it without a file", async () => {
    const folder = folderWith({ "a.txt": "alpha\n" });
    const play = scripted.play([
      { calls: [{ id: "read", name: "read", args: { path: "a.txt" } }] },
      {
        calls: [
          { id: "edit", name: "edit", args: { path: "a.txt", edits: [{ oldText: "alpha", newText: "beta" }] } },
          { id: "write", name: "write", args: { path: "b.txt", content: "made\n" } },
        ],
      },
      { text: "Done." },
      { text: "Second." },
      { text: "Chat." },
    ]);
    const presets = { coder: presetOf(play, { folders: ["."] }), chat: presetOf(play) };
    const server = await governedServer(presets, folder);

    const first = await server.whole({ input: "Change a.txt." });
    server.clock.pass(1);
    const second = await server.whole({ input: "Another session." });
    server.clock.pass(1);
    await server.whole({ input: "No folder.", preset_id: "chat" });
    const { items: workspaces } = await server.json<Items>("/api/governance/workspaces");
    const local = `/api/governance/workspaces/${workspaces[1]?.workspace_id}`;
    const { items: sessions } = await server.json<Items>(`${local}/sessions`);
    const { items: artifacts } = await server.json<Items>(`${local}/artifacts?session_id=${first.conversationId}`);
    const output = artifacts.find(
      (artifact) => artifact.artifact_type === "tool_output" && `${artifact.name}`.includes("read"),
    );
    const change = artifacts.find((artifact) => artifact.artifact_type === "file_diff");
    const read = await server.json(`/api/governance/artifacts/${output?.artifact_id}`);
    const diff = await server.json(`/api/governance/artifacts/${change?.artifact_id}`);
    const history = await server.json(`/api/governance/sessions/${first.conversationId}/history`);

    expect(workspaces).toMatchObject([
      { workspace_scope: "general", local_path: null },
      { workspace_scope: "local", local_path: folder },
    ]);
    expect(sessions).toMatchObject([
      { session_id: second.conversationId, task_count: 1 },
      { session_id: first.conversationId, task_count: 1, status: "SESSION_RUNNING" },
    ]);
    expect(artifacts.map(({ artifact_type }) => artifact_type).sort()).toEqual([
      ...["file_diff", "generated_file", "tool_output", "tool_output", "tool_output"],
    ]);
    expect(read).toMatchObject({ body: "alpha\n", task_id: first.runId, step_id: "step-1" });
    expect(diff).toMatchObject({ name: "a.txt", body: expect.stringContaining("+beta") });
    expect(history).toMatchObject({
      snapshot_after_task_id: first.runId,
      messages: [
        { role: "system", is_system: true, task_id: null },
        { role: "user", content: "Change a.txt.", task_id: first.runId, step_id: "step-1" },
        { role: "assistant" },
        { role: "tool", content: "alpha\n", step_id: "step-1" },
        { role: "assistant" },
        { role: "tool" },
        { role: "tool" },
        { role: "assistant", content: "Done.", step_id: "step-3" },
      ],
    });

    const deleted = await fetch(`${server.url}${local}`, { method: "DELETE" });
    const again = await server.get(local);
    const gone = await server.get(`/api/governance/sessions/${first.conversationId}`);

    expect([deleted.status, again.status, gone.status]).toEqual([200, 404, 404]);
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("beta\n");
    const { versions: files } = await server.store.find({ type: "file" }, { documents: true });
    expect(files.map(({ document }) => document?.content).sort()).toEqual(["beta\n", "made\n"]);
    expect((await server.audit(first.conversationId)).at(-1)).toMatchObject({ eventType: "workspace_deleted" });
    await server.stop();
    removed(folder);
  });

  it("gives a session back its thread and its tokens under another server, and deletes its history", async () => {
    const folder = folderWith({});
    const usage = { input: 300, output: 100, cacheRead: 0, cacheWrite: 0 };
    const play = scripted.play([
      { text: "One.", usage },
      { text: "Two.", usage },
    ]);
    const presets = { p: presetOf(play) };
    const llmPolicy = { maxSessionTokens: 2_000 };
    const before = await governedServer(presets, folder, { llmPolicy });
    const { store, states, clock } = before;

    const first = await before.whole({ input: "First." });
    await before.stop();
    const after = await governedServer(presets, folder, { llmPolicy, testClock: clock, server: { store, states } });
    await after.whole({ conversation_id: first.conversationId, input: "Second." });
    const history = await after.json<{ messages: readonly { content: string }[] }>(
      `/api/governance/sessions/${first.conversationId}/history`,
    );
    const session = await after.json(`/api/governance/sessions/${first.conversationId}`);
    const deletions = [];
    for (let time = 0; time < 2; time++) {
      const url = `${after.url}/api/governance/sessions/${first.conversationId}/history`;
      deletions.push(await (await fetch(url, { method: "DELETE" })).json());
    }
    const gone = await after.get(`/api/governance/sessions/${first.conversationId}/history`);
    const story = await after.audit(first.conversationId);

    expect([deletions, gone.status]).toEqual([[{ deleted: true }, { deleted: false }], 404]);
    expect(story.filter(({ eventType }) => eventType === "history_deleted")).toHaveLength(1);
    expect(history.messages.map(({ content }) => content).slice(1)).toEqual(["First.", "One.", "Second.", "Two."]);
    expect(session).toMatchObject({ tokens_used: 800, policy_bundle_version: "v1" });
    await after.stop();
    removed(folder);
  });

  it("goes on with a session as the other server of its store left it: what was said, used, deleted, resumed, ended", async () => {
    const folder = folderWith({});
    const usage = { input: 300, output: 100, cacheRead: 0, cacheWrite: 0 };
    const play = scripted.play(["One.", "Two.", "Three.", "Four.", "Five."].map((text) => ({ text, usage })));
    const presets = { p: presetOf(play) };
    const first = await governedServer(presets, folder);
    const { store, states, clock } = first;
    const second = await governedServer(presets, folder, { testClock: clock, server: { store, states } });
    const { conversationId: conversation_id } = await first.whole({ input: "First." });
    const session = `/api/governance/sessions/${conversation_id}`;
    const go = async ({ post }: typeof first, input: string) => {
      clock.pass(1);
      const answer = await post("/api/conversations/run", { conversation_id, input });
      return [answer.status, /"RUN_(?:FINISHED|ERROR)"/.exec(await answer.text())?.[0]];
    };
    const found = async ({ json }: typeof first) => {
      const { tokens_used, status } = await json<{ readonly tokens_used: number; readonly status: string }>(session);
      const history = await json<{ readonly messages: readonly { readonly content: string }[] }>(`${session}/history`);
      return [tokens_used, status, history.messages.slice(1).map(({ content }) => content)];
    };

    const went = [await go(second, "Second."), await go(first, "Third.")];
    const both = await found(first);
    await fetch(`${second.url}${session}/history`, { method: "DELETE" });
    went.push(await go(first, "Fourth."));
    const afterDeletion = await found(first);
    clock.pass(3_600_000);
    const refused = await go(first, "Too early.");
    await second.post(`${session}/resume`);
    went.push(await go(first, "Fifth."));
    await second.post(`${session}/close`);
    const late = await go(first, "Too late.");
    const again = await first.post(`${session}/close`);
    const [, status] = await found(first);
    await Promise.all([first.stop(), second.stop()]);

    expect(went).toEqual(went.map(() => [200, '"RUN_FINISHED"']));
    const threeTasks = ["First.", "One.", "Second.", "Two.", "Third.", "Three."];
    expect(both).toEqual([1_200, "SESSION_RUNNING", threeTasks]);
    expect(afterDeletion).toEqual([1_600, "SESSION_RUNNING", ["Fourth.", "Four."]]);
    expect([refused, late].map(([code]) => code)).toEqual([409, 409]);
    expect([again.status, status]).toEqual([409, "SESSION_COMPLETED"]);
    removed(folder);
  });

  it("continues a session that has ended as another one, in the same workspace and with its history", async () => {
    const folder = folderWith({});
    const play = scripted.play([{ text: "Blue." }, { text: "You said blue." }]);
    const server = await governedServer({ p: presetOf(play, { folders: ["."] }) }, folder);

    const first = await server.whole({ input: "Which colour?" });
    await server.post(`/api/governance/sessions/${first.conversationId}/close`);
    const refused = await server.post("/api/conversations/run", {
      conversation_id: first.conversationId,
      input: "And?",
    });
    const other = await governedServer({ p: presetOf(play) }, folder, { server: { store: server.store } });
    const elsewhere = await other.post("/api/conversations/run", {
      conversation_id: first.conversationId,
      input: "And here?",
    });
    const closed = await other.post(`/api/governance/sessions/${first.conversationId}/close`);
    await other.stop();
    const path = `/api/governance/sessions/${first.conversationId}/continue`;
    const second = await server.whole({ input: "What did you say?" }, path);
    const [before, after] = await Promise.all(
      [first, second].map(({ conversationId }) =>
        server.json<{ workspace_id: string }>(`/api/governance/sessions/${conversationId}`),
      ),
    );
    const history = await server.json<{ messages: readonly { role: string; content: string }[] }>(
      `/api/governance/sessions/${second.conversationId}/history`,
    );

    expect([refused, elsewhere, closed].map(({ status }) => status)).toEqual([409, 409, 409]);
    expect(await closed.json()).toEqual({
      error: "session_ended",
      message: expect.stringContaining("has ended; continue it as another one."),
    });
    expect(before).toMatchObject({ status: "SESSION_COMPLETED" });
    expect(after).toMatchObject({ workspace_id: before?.workspace_id, continued_from: first.conversationId });
    expect(history.messages.map(({ content }) => content)).toEqual([
      ...["Which colour?", "Blue.", "What did you say?", "You said blue."],
    ]);
    expect(promptText(play.requests[1]?.sent as SentPrompt)).toContain("Blue.");
    await server.stop();
    removed(folder);
  });

  it("knows people by their tokens: whose a session is, and who answered; another's session is not continued", async () => {
    const folder = folderWith({});
    const play = scripted.play([{ calls: [{ name: "bash", args: { command: "true" } }] }, { text: "Done." }]);
    const tokens = ["ada", "bob"].map((name) => ({ name, sha256: createHash("sha256").update(`of-${name}`).digest() }));
    const server = await governedServer({ p: presetOf(play, { folders: ["."] }) }, folder, {
      server: { access: accessOf(tokens) },
    });
    const as = (name: string, path: string, body?: object) =>
      fetch(`${server.url}${path}`, {
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
        headers: { authorization: `Bearer of-${name}`, "content-type": "application/json" },
      });

    const events = readEvents(await as("ada", "/api/conversations/run", { input: "Run it." }));
    const { conversationId: id } = namesOf((await events.next()).value);
    const { approval_id } = await untilCustom<{ approval_id: string }>(events, "approval_requested");
    await as("bob", `/api/governance/approvals/${approval_id}`, { decision: "approved" });
    await rest(events);
    await server.governance.approvals.saved();
    const session = await (await as("bob", `/api/governance/sessions/${id}`)).json();
    const [record] = await server.governance.workspaces.audit.approvalsOf(id);
    const runs = (await server.runtime.lineage.runs()).runs.length;
    const taken = await as("bob", `/api/governance/sessions/${id}/continue`, { input: "Mine?" });
    const left = (await server.runtime.lineage.runs()).runs.length;

    expect(session).toMatchObject({ user_id: "ada" });
    expect(record).toMatchObject({ decision: "approved", decided_by: "bob" });
    expect([taken.status, left]).toEqual([404, runs]);
    await server.stop();
    removed(folder);
  });
}
