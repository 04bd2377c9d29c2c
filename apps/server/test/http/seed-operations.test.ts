// @module-tag process
// Verifies: seed conversation-and-session, its tables line by line over HTTP; reference lineage: statuses, parents, pages.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createFileStateStore } from "@cm/lineage";
import { type ScriptedAnswer, type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { gate, presetOf, serverWith, type TestServer } from "../support/running-server.ts";
import { folderWith, removed } from "../support/scripted.ts";

let scripted: ScriptedModel;
let folder: string;
let server: TestServer;
/** What the models answer until a test says otherwise. */
let answer: (index: number) => ScriptedAnswer | Promise<ScriptedAnswer>;
let scout: (index: number) => ScriptedAnswer | Promise<ScriptedAnswer>;

beforeAll(async () => {
  scripted = await startScriptedModel();
});
afterAll(() => scripted.close());
beforeEach(async () => {
  answer = (index) => ({ text: `Answer ${index}.` });
  scout = (index) => ({ text: `Found ${index}.` });
  folder = folderWith({ "a.txt": "alpha\n", "more/b.txt": "beta\n" });
  const subagents = [{ name: "scout", preset: "scout", description: "Looks for things." }];
  const ask = { name: "ask_person", description: "Asks a person." };
  const main = scripted.play(({ index }) => answer(index));
  const other = scripted.play(({ index }) => answer(index));
  const looks = scripted.play(({ index }) => scout(index));
  const presets = {
    main: presetOf(main, { folders: ["."], tools: ["read", "bash", ask], approve: ["bash"], subagents }),
    other: presetOf(other),
    scout: presetOf(looks),
  };
  server = await serverWith(presets, folder, { states: createFileStateStore({ dataDir: join(folder, "states") }) });
});
afterEach(async () => {
  await server.stop();
  removed(folder);
});

type Json = Readonly<Record<string, unknown>>;
const got = async (path: string) => (await (await server.get(path)).json()) as Json;
const sent = async (path: string, body: object = {}) => {
  const response = await server.post(path, body);
  return { status: response.status, body: (await response.json()) as Json };
};
const run = (body: object) => sent("/api/conversations/run", { transport: "stream", ...body });
const session = (id: string) => got(`/api/sessions/${id}/get`);
const ids = (page: Json) => (page.items as readonly Json[]).map(({ session_id }) => session_id);
const over = (id: unknown) => server.runtime.live.get(String(id))?.done;

/** A run that goes on until it is let go. */
async function held(body: object) {
  const [{ open, opened }, asked] = [gate(), gate()];
  const before = answer;
  answer = async (index) => {
    asked.open();
    await opened;
    return before(index);
  };
  const begun = await run(body);
  await asked.opened;
  answer = before;
  return { id: String(begun.body.session_id), open };
}

describe("lineage", () => {
  it("gives a root, a continuation, a fork and a subagent the parent, type, conversation and spawner of the table", async () => {
    answer = (index) =>
      index === 0
        ? { calls: [{ name: "delegate", args: { subagent: "scout", task: "Look." } }] }
        : { text: `Answer ${index}.` };
    const root = await server.whole({ input: "One." });
    await Promise.all(server.runtime.live.running().map(({ done }) => done));
    const next = await server.whole({ conversation_id: root.runId, input: "Two." });
    const fork = await server.whole(
      { input: "Three.", from_session_id: root.runId },
      `/api/conversations/${root.runId}/fork`,
    );
    const [subagent] = ids(await got(`/api/conversations/${root.runId}/sessions?session_type=async_subagent`));

    const agent = { session_type: "agent", spawned_by: null, status: "committed" };
    expect(await session(root.runId)).toMatchObject({ ...agent, parent_session_id: null, conversation_id: root.runId });
    expect(await session(next.runId)).toMatchObject({
      ...{ ...agent, parent_session_id: root.runId, conversation_id: root.runId },
    });
    expect(await session(fork.runId)).toMatchObject({
      ...{ ...agent, parent_session_id: root.runId, conversation_id: fork.runId },
    });
    expect(await session(String(subagent))).toMatchObject({
      ...{
        session_type: "async_subagent",
        parent_session_id: null,
        conversation_id: root.runId,
        spawned_by: root.runId,
      },
    });
    expect(new Set([root.runId, next.runId, fork.runId, subagent]).size).toBe(4);
  });

  it("continues from the newest snapshot of the agent, past failed runs, archived ones and subagents", async () => {
    const refusal = { status: 400, body: { type: "error", error: { type: "invalid_request_error", message: "No." } } };
    const root = await server.whole({ input: "One." });
    const second = await server.whole({ conversation_id: root.runId, input: "Two." });
    answer = () => ({ error: refusal });
    const failed = await server.whole({ conversation_id: root.runId, input: "Three." });
    answer = () => ({
      calls: [
        { name: "delegate", args: { subagent: "scout", task: "Look." } },
        { name: "ask_person", args: {} },
      ],
    });
    const waits = await server.whole({ conversation_id: root.runId, input: "Four." });
    await Promise.all(server.runtime.live.running().map(({ done }) => done));
    answer = () => ({ text: "Five." });
    const fifth = await server.whole({ conversation_id: root.runId, input: "Five." });
    await sent(`/api/sessions/${fifth.runId}/archive`);
    const sixth = await server.whole({ conversation_id: root.runId, input: "Six." });

    expect(await session(failed.runId)).toMatchObject({ status: "failed", parent_session_id: second.runId });
    expect(await session(waits.runId)).toMatchObject({
      status: "awaiting_tool_results",
      parent_session_id: second.runId,
    });
    expect(await session(fifth.runId)).toMatchObject({ status: "archived", parent_session_id: waits.runId });
    expect(await session(sixth.runId)).toMatchObject({ status: "committed", parent_session_id: waits.runId });
  });

  it("refuses parents and fork points that cannot be, and creates nothing then", async () => {
    const one = await server.whole({ input: "One." });
    const two = await server.whole({ conversation_id: one.runId, input: "Two." });
    const elsewhere = await server.whole({ input: "Elsewhere." });
    const fork = (from?: string, of = one.runId) =>
      sent(`/api/conversations/${of}/fork`, { input: "x", ...(from === undefined ? {} : { from_session_id: from }) });
    const execute = (body: object) => sent("/api/sessions/execute", { input: "x", transport: "stream", ...body });
    const before = ids(await got("/api/sessions/list"));

    const statuses = {
      forkOfNoRun: (await fork("none")).status,
      forkOfAnotherConversation: (await fork(elsewhere.runId)).status,
      forkOfNoConversation: (await fork(undefined, "none")).status,
      noParent: (await execute({ parent_session_id: "none" })).status,
      oldParent: (await execute({ parent_session_id: one.runId })).status,
      forkWithoutParent: (await execute({ fork: true })).status,
      noConversation: (await run({ conversation_id: "none", input: "x" })).status,
      noPreset: (await run({ conversation_id: one.runId, input: "x", preset_id: "none" })).status,
      metadataTooLarge: (
        await sent(`/api/conversations/${one.runId}/fork`, { input: "x", metadata: { a: "x".repeat(20_000) } })
      ).status,
      continuedWithSuchMetadata: (
        await run({ conversation_id: one.runId, input: "x", metadata: { a: "x".repeat(20_000) } })
      ).status,
    };
    await sent(`/api/sessions/${two.runId}/archive`);
    const archivedParent = (await execute({ parent_session_id: two.runId })).status;
    const archivedFork = (await fork(two.runId)).status;

    expect({ ...statuses, archivedParent, archivedFork }).toEqual({
      ...{ forkOfNoRun: 404, forkOfAnotherConversation: 422, forkOfNoConversation: 404, noParent: 404, oldParent: 422 },
      ...{ forkWithoutParent: 422, noConversation: 404, noPreset: 422, archivedParent: 404, archivedFork: 404 },
      ...{ metadataTooLarge: 422, continuedWithSuchMetadata: 422 },
    });
    expect(ids(await got("/api/sessions/list"))).toEqual(before);
    expect(await got(`/api/conversations/${one.runId}/get`)).toMatchObject({ active_session: null });
  });

  it("executes roots, continuations and forks by the parent that a request names", async () => {
    const execute = (body: object) => server.whole(body, "/api/sessions/execute");
    const root = await execute({ input: "One." });
    const next = await execute({ input: "Two.", parent_session_id: root.runId });
    const fork = await execute({ input: "Three.", parent_session_id: root.runId, fork: true });

    expect([root, next, fork].map(({ conversationId }) => conversationId)).toEqual([
      root.runId,
      root.runId,
      fork.runId,
    ]);
    expect(await session(next.runId)).toMatchObject({ parent_session_id: root.runId });
  });
});

describe("a snapshot", () => {
  it("has the seed's fields, and its files lie where the seed says", async () => {
    const { runId } = await server.whole({ input: "One.", transport: "sse" });
    const kept = await got(`/api/sessions/${runId}/get?include_state=true`);
    const place = join(folder, "states", "sessions", runId, "display_messages.json");

    expect(kept).toMatchObject({
      ...{ session_id: runId, parent_session_id: null, status: "committed", conversation_id: runId },
      ...{ session_type: "agent", transport: "sse", spawned_by: null, preset_id: "main", stream_key: null },
      run_summary: {
        duration_ms: expect.any(Number),
        usage: {
          ...{ total_tokens: expect.any(Number), prompt_tokens: expect.any(Number) },
          ...{ completion_tokens: expect.any(Number), model_requests: 1 },
        },
      },
      state: {
        context_state: expect.anything(),
        message_history: expect.any(Array),
        environment_state: expect.anything(),
      },
    });
    expect(new Date(String(kept.created_at)).toISOString()).toBe(kept.created_at);
    expect(JSON.parse(readFileSync(place, "utf8"))).toEqual(kept.display_messages);
    expect(readdirSync(join(folder, "states"))).toEqual(["sessions"]);
  });

  it("moves as the seed's diagram says, and no other way", async () => {
    const one = await server.whole({ input: "One." });
    answer = () => ({ calls: [{ name: "ask_person", args: {} }] });
    const waits = await server.whole({ input: "Two." });
    const { id: runs, open } = await held({ input: "Three." });
    const created = await session(runs);
    const archive = async (id: string) => (await sent(`/api/sessions/${id}/archive`)).status;
    const first = [await archive(one.runId), await archive(waits.runId), await archive(runs), await archive("none")];
    const again = await archive(one.runId);
    await sent(`/api/sessions/${runs}/interrupt`);
    open();
    await over(runs);

    expect([first, again]).toEqual([[200, 409, 409, 404], 409]);
    expect(created).toMatchObject({
      status: "created",
      run_summary: null,
      display_messages: null,
      final_message: null,
    });
    expect(await session(one.runId)).toMatchObject({
      status: "archived",
      run_summary: { usage: { model_requests: 1 } },
    });
    expect(await session(runs)).toMatchObject({ status: "failed", step: null, run_summary: null });
    expect((await server.get(`/api/sessions/${runs}/get?include_state=true`)).status).toBe(404);
    expect(existsSync(join(folder, "states", "sessions", runs))).toBe(false);
  });

  it("keeps text, calls and results for callers, without the lifecycle, its usage once and last", async () => {
    answer = (index) =>
      index === 0 ? { text: "I look.", calls: [{ name: "read", args: { path: "a.txt" } }] } : { text: "Alpha." };
    const { runId } = await server.whole({ input: "Read." });
    const { display_messages: display } = await session(runId);
    const types = (display as readonly Json[]).map(({ type, name }) => (type === "CUSTOM" ? name : type));

    expect(types.filter((type) => !String(type).includes("_snapshot") || type === "usage_snapshot").at(-1)).toBe(
      "usage_snapshot",
    );
    expect(types.filter((type) => type === "usage_snapshot")).toHaveLength(1);
    expect(types.filter((type) => /^(RUN|STEP)_/.test(String(type)))).toEqual([]);
    expect(types.filter((type) => /^(TEXT|TOOL)/.test(String(type)))).toEqual([
      ...["TEXT_MESSAGE_CHUNK", "TOOL_CALL_CHUNK", "TOOL_CALL_RESULT", "TEXT_MESSAGE_CHUNK"],
    ]);
  });
});

describe("one running run", () => {
  it("is named to a second start with its transport; subagents and forks go beside it", async () => {
    const root = await server.whole({ input: "One." });
    for (const transport of ["sse", "stream"] as const) {
      const { open, opened } = gate();
      answer = async () => {
        await opened;
        return { text: "Done." };
      };
      const body = { conversation_id: root.runId, input: "Two.", transport };
      const begun = await server.post("/api/conversations/run", body);
      const { active_session: active } = await got(`/api/conversations/${root.runId}/get`);
      const refused = [
        await run({ conversation_id: root.runId, input: "Three." }),
        await sent("/api/sessions/execute", { parent_session_id: root.runId, input: "Three." }),
        await sent(`/api/conversations/${root.runId}/fire`, {}),
      ];
      answer = () => ({ text: "Beside." });
      const fork = await server.whole({ input: "Four." }, `/api/conversations/${root.runId}/fork`);
      open();
      await over((active as Json).session_id);
      await begun.body?.cancel();

      const running = String((active as Json).session_id);
      const stream_key = transport === "stream" ? `run:${running}` : null;
      expect(active).toEqual({ session_id: running, transport, stream_key });
      expect(refused.map(({ status }) => status)).toEqual([409, 409, 409]);
      expect(refused.map((each) => each.body.active_session)).toEqual([active, active, active]);
      expect(fork.conversationId).toBe(fork.runId);
    }
  });

  it("is interrupted with a count, again and again; a single one that does not run is not found", async () => {
    const root = await server.whole({ input: "One." });
    const { id, open } = await held({ conversation_id: root.runId, input: "Two." });
    const of = `/api/conversations/${root.runId}/interrupt`;

    const first = await sent(of);
    open();
    await over(id);
    const answers = [await sent(of), await sent(of), await sent(`/api/sessions/${id}/interrupt`)];

    expect(first).toEqual({ status: 200, body: { interrupted: 1 } });
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]);
    expect(answers[0]?.body).toEqual({ interrupted: 0 });
    expect((await sent("/api/conversations/none/interrupt")).status).toBe(404);
    expect((await sent("/api/sessions/none/interrupt")).status).toBe(404);
    expect((await sent(`/api/sessions/${root.runId}/interrupt`)).status).toBe(404);
    // The model had said nothing: there is no state to commit.
    expect(await session(id)).toMatchObject({ status: "failed" });
  });

  it("takes each message once by its id, and refuses what is empty, unknown or too early", async () => {
    const { id, open } = await held({ input: "One." });
    const steer = (body: object, of = `/api/conversations/${id}`) => sent(`${of}/steer`, body);
    const first = await steer({ input: "Be quick.", message_id: "m" });
    const twice = await steer({ input: "Something else.", message_id: "m" });
    const byRun = await steer({ input: "Be quick.", message_id: "m" }, `/api/sessions/${id}`);
    const wrong = [
      await steer({ input: "" }),
      await steer({ input: "  \n" }),
      await steer({}),
      await steer({ input: "x" }, "/api/conversations/none"),
      await steer({ input: "x" }, "/api/sessions/none"),
    ];
    // What is in the records, and has no hands yet.
    const { lineage } = server.runtime;
    const early = await lineage.root({ input: "Early." });
    const tooEarly = [
      await steer({ input: "x" }, `/api/conversations/${early.session_id}`),
      await steer({ input: "x" }, `/api/sessions/${early.session_id}`),
    ];
    await lineage.fail(early.session_id, "It was never begun.");
    open();
    await over(id);
    const late = await steer({ input: "x" });

    expect([first, twice, byRun].map(({ body }) => body)).toEqual([
      { accepted: true },
      { accepted: false },
      { accepted: false },
    ]);
    expect(wrong.map(({ status }) => status)).toEqual([422, 422, 422, 404, 404]);
    expect(tooEarly.map(({ status, body }) => [status, body.error])).toEqual([
      [409, "not_ready"],
      [409, "not_ready"],
    ]);
    expect(late.status).toBe(404);
  });

  it("has a status from the registry while it runs, and from the records afterwards", async () => {
    const { id, open } = await held({ input: "One." });
    const during = await got(`/api/sessions/${id}/status`);
    open();
    await over(id);

    expect(during).toEqual({ session_id: id, status: "running" });
    expect(await got(`/api/sessions/${id}/status`)).toEqual({ session_id: id, status: "committed" });
    expect((await server.get("/api/sessions/none/status")).status).toBe(404);
  });
});

describe("calls that wait", () => {
  const both = [
    { id: "ask-1", name: "ask_person", args: {} },
    { id: "ask-2", name: "ask_person", args: {} },
    { id: "sh-1", name: "bash", args: { command: "touch first" } },
    { id: "sh-2", name: "bash", args: { command: "touch second" } },
  ];
  const resultsOf = (display: unknown) =>
    Object.fromEntries(
      (display as readonly Json[]).flatMap(({ type, toolCallId, content }) =>
        type === "TOOL_CALL_RESULT" ? [[toolCallId, content]] : [],
      ),
    );

  it("get what the next run brings; what it does not cover is denied or has failed, what it covers stands", async () => {
    answer = (index) => (index === 0 ? { calls: both } : { text: "Thanks." });
    const first = await server.whole({ input: "Ask." });
    const waiting = await session(first.runId);
    const second = await server.whole({
      conversation_id: first.runId,
      tool_results: { "ask-1": "Blue." },
      user_interactions: { "sh-1": { approved: true } },
    });
    const told = resultsOf((await session(second.runId)).display_messages);

    expect(waiting).toMatchObject({
      status: "awaiting_tool_results",
      pending: [
        { tool_call_id: "ask-1", kind: "call" },
        { tool_call_id: "ask-2", kind: "call" },
        { tool_call_id: "sh-1", kind: "approval" },
        { tool_call_id: "sh-2", kind: "approval" },
      ],
    });
    expect(told["ask-1"]).toContain("Blue.");
    expect(told["ask-2"]).toContain("No result of the call was brought.");
    expect(told["sh-2"]).toContain("The call was not approved.");
    expect([existsSync(join(folder, "first")), existsSync(join(folder, "second"))]).toEqual([true, false]);
    expect(await session(second.runId)).toMatchObject({
      status: "committed",
      pending: [],
      parent_session_id: first.runId,
    });
  });

  it("are all denied or failed by a run that brings nothing but a text, also in a fork", async () => {
    answer = (index) => (index === 0 ? { calls: both } : { text: "Then not." });
    const first = await server.whole({ input: "Ask." });
    const fork = await server.whole({ input: "Never mind." }, `/api/conversations/${first.runId}/fork`);
    const next = await server.whole({ conversation_id: first.runId, input: "Never mind." });

    for (const { runId } of [fork, next])
      expect(Object.keys(resultsOf((await session(runId)).display_messages)).sort()).toEqual([
        "ask-1",
        "ask-2",
        "sh-1",
        "sh-2",
      ]);
    expect([existsSync(join(folder, "first")), existsSync(join(folder, "second"))]).toEqual([false, false]);
  });

  it("are needed by a run that says nothing else", async () => {
    const { runId } = await server.whole({ input: "Hello." });
    const nothingWaits = await run({ conversation_id: runId, tool_results: { "ask-1": "Blue." } });

    expect(nothingWaits.status).toBe(422);
  });
});

describe("lists", () => {
  it("page turns backwards by session, in the order of time, of the agent's snapshots alone", async () => {
    const root = await server.whole({ input: "Turn 0." });
    for (let n = 1; n < 5; n += 1) await server.whole({ conversation_id: root.runId, input: `Turn ${n}.` });
    const of = `/api/conversations/${root.runId}/turns`;
    const newest = await got(`${of}?limit=2`);
    const before = await got(`${of}?limit=2&cursor=${newest.next_cursor}`);
    const first = await got(`${of}?limit=2&cursor=${before.next_cursor}`);
    const inputs = (page: Json) => (page.items as readonly Json[]).map(({ input }) => input);

    expect([newest, before, first].map(inputs)).toEqual([["Turn 3.", "Turn 4."], ["Turn 1.", "Turn 2."], ["Turn 0."]]);
    expect([newest, before, first].map(({ has_more }) => has_more)).toEqual([true, true, false]);
    expect(newest.next_cursor).toBe(ids(newest)[0]);
    expect(first.next_cursor).toBeNull();
    expect((newest.items as readonly Json[])[0]).toMatchObject({ final_message: "Answer 3.", session_type: "agent" });
    const wrong = ["limit=0", "limit=x", "limit=201", "cursor=none"].map(
      async (query) => (await server.get(`${of}?${query}`)).status,
    );
    expect(await Promise.all(wrong)).toEqual([422, 422, 422, 404]);
    expect((await server.get("/api/conversations/none/turns")).status).toBe(404);
  });

  it("find runs by each indexed field, and conversations by status, preset and what their metadata contain", async () => {
    const one = await server.whole({ input: "One.", metadata: { team: "a", tags: ["x", "y"] } });
    const two = await server.whole({ input: "Two.", preset_id: "other", metadata: { team: "b", tags: ["x"] } });
    await server.whole({ conversation_id: one.runId, input: "Three." });
    const { body: streamed } = await run({ conversation_id: one.runId, input: "Four." });
    await over(streamed.session_id);
    await sent(`/api/conversations/${two.runId}/update`, { status: "archived" });
    const list = async (query: string) => ids(await got(`/api/sessions/list?${query}`)).length;
    const conversations = async (query: object) => {
      const page = await got(`/api/conversations/list?${new URLSearchParams({ ...query })}`);
      return (page.items as readonly Json[]).map(({ conversation_id }) => conversation_id);
    };

    expect({
      all: await list(""),
      committed: await list("status=committed"),
      failed: await list("status=failed"),
      agents: await list("session_type=agent"),
      streamed: await list("transport=stream"),
      ofConversation: await list(`conversation_id=${one.runId}`),
      children: await list(`parent_session_id=${one.runId}`),
      spawned: await list(`spawned_by=${one.runId}`),
      preset: await list("preset_id=other"),
      both: await list("preset_id=main&transport=sse"),
    }).toEqual({
      ...{ all: 4, committed: 4, failed: 0, agents: 4, streamed: 1, ofConversation: 3, children: 1, spawned: 0 },
      ...{ preset: 1, both: 2 },
    });
    expect(await conversations({})).toEqual([two.runId, one.runId]);
    expect(await conversations({ status: "active" })).toEqual([one.runId]);
    expect(await conversations({ preset_id: "other" })).toEqual([two.runId]);
    expect(await conversations({ metadata: '{"team":"a"}' })).toEqual([one.runId]);
    expect(await conversations({ metadata: '{"tags":["x"]}' })).toEqual([two.runId, one.runId]);
    expect(await conversations({ metadata: '{"tags":["y"],"team":"b"}' })).toEqual([]);
    const wrong = ["metadata=[1]", "metadata={", "status=gone", "limit=0", "cursor=none"];
    const statuses = wrong.map(async (query) => (await server.get(`/api/conversations/list?${query}`)).status);
    expect(await Promise.all(statuses)).toEqual([422, 422, 422, 422, 422]);
    expect((await server.get("/api/sessions/list?status=running")).status).toBe(422);
    expect((await server.get("/api/sessions/list?cursor=none")).status).toBe(422);
  });
});

describe("a conversation", () => {
  it("changes in its title, preset, metadata and status; null removes; its id and its creation stay", async () => {
    const { runId } = await server.whole({
      input: `  Build\n me ${"a house ".repeat(20)}`,
      metadata: { a: 1, b: { c: 2 }, gone: null },
    });
    const of = `/api/conversations/${runId}`;
    const made = await got(`${of}/get`);
    const { body: patched } = await sent(`${of}/update`, { metadata: { a: null, b: { d: 3 }, e: [1] }, title: "Mine" });
    const { body: kept } = await sent(`${of}/update`, {});
    await server.whole({ conversation_id: runId, input: "More.", metadata: { e: null, f: 6 } });
    const continued = await got(`${of}/get`);
    const { body: cleared } = await sent(`${of}/update`, { title: null, metadata: null, default_preset_id: "other" });

    expect(made).toMatchObject({
      title: `Build me ${"a house ".repeat(20)}`.slice(0, 50),
      metadata: { a: 1, b: { c: 2 } },
    });
    expect(Object.keys(made.metadata as object)).toEqual(["a", "b"]);
    expect(made).toMatchObject({ status: "active", default_preset_id: "main" });
    expect(patched).toMatchObject({ title: "Mine", metadata: { b: { d: 3 }, e: [1] } });
    expect(Object.keys(patched.metadata as object).sort()).toEqual(["b", "e"]);
    expect(kept).toMatchObject({ title: "Mine", metadata: patched.metadata });
    expect(continued.metadata).toEqual({ b: { d: 3 }, f: 6 });
    expect(cleared).toMatchObject({
      title: null,
      metadata: {},
      default_preset_id: "other",
      created_at: made.created_at,
    });
    expect(Date.parse(String(cleared.updated_at))).toBeGreaterThanOrEqual(Date.parse(String(made.updated_at)));
    const wrong = [
      { conversation_id: "x" },
      { created_at: "x" },
      { status: "gone" },
      { default_preset_id: "none" },
      { metadata: [] },
    ];
    expect(await Promise.all(wrong.map(async (body) => (await sent(`${of}/update`, body)).status))).toEqual([
      422, 422, 422, 422, 422,
    ]);
    expect((await sent("/api/conversations/none/update", { title: "x" })).status).toBe(404);
  });

  it("takes no new runs while it is archived, and goes on when it is active again", async () => {
    const { runId } = await server.whole({ input: "One." });
    const of = `/api/conversations/${runId}`;
    await sent(`${of}/update`, { status: "archived" });
    const archived = await run({ conversation_id: runId, input: "Two." });
    await sent(`${of}/update`, { status: "active" });
    const active = await server.whole({ conversation_id: runId, input: "Two." });

    expect(archived.status).toBe(422);
    expect(await session(active.runId)).toMatchObject({ parent_session_id: runId });
  });
});

describe("the environment of a run", () => {
  it("is the request's, else that of the run before; a workspace or a list, never both; none is a conversation only", async () => {
    const one = await server.whole({ input: "One." });
    const two = await server.whole({ conversation_id: one.runId, input: "Two.", project_ids: ["more", "."] });
    const three = await server.whole({ conversation_id: one.runId, input: "Three." });
    const none = await server.whole({ conversation_id: one.runId, input: "Four.", project_ids: [] });
    const fork = await server.whole(
      { input: "Five.", from_session_id: two.runId },
      `/api/conversations/${one.runId}/fork`,
    );
    const projects = async ({ runId }: { readonly runId: string }) =>
      (await session(runId)).project_ids as readonly string[];
    const [root = ""] = await projects(one);

    expect(await projects(two)).toEqual([join(root, "more"), root]);
    expect(await projects(three)).toEqual([join(root, "more"), root]);
    expect(await projects(none)).toEqual([]);
    expect(await projects(fork)).toEqual([join(root, "more"), root]);
    expect((await run({ input: "x", project_ids: ["."], workspace_id: "w" })).status).toBe(422);
    expect((await run({ input: "x", workspace_id: "none" })).status).toBe(422);
    expect((await run({ input: "x", project_ids: ["../.."] })).status).toBe(422);
  });
});

describe("the mailbox", () => {
  it("holds one post of each subagent; fire says busy before empty, takes all once, and names what it took", async () => {
    const delegate = { calls: [{ name: "delegate", args: { subagent: "scout", task: "Look." } }] };
    answer = (index) => (index % 2 === 0 ? delegate : { text: "It looks." });
    const root = await server.whole({ input: "Send one." });
    await server.whole({ conversation_id: root.runId, input: "Send it again." });
    await Promise.all(server.runtime.live.running().map(({ done }) => done));
    const of = `/api/conversations/${root.runId}`;
    const posts = (await got(`${of}/mailbox`)).items as readonly Json[];
    const { mailbox } = await got(`${of}/get`);
    answer = () => ({ text: "Thanks." });
    const { id, open } = await held({ conversation_id: root.runId, input: "Busy." });
    const busy = (await sent(`${of}/fire`)).status;
    open();
    await over(id);
    const fired = await sent(`${of}/fire`, { input: "And?" });
    await over(fired.body.session_id);
    const empty = (await sent(`${of}/fire`)).status;

    expect(posts).toMatchObject([
      { subagent_name: "scout", outcome: "result" },
      { subagent_name: "scout", outcome: "result" },
    ]);
    expect(mailbox).toEqual({ pending_count: 2 });
    expect([busy, fired.status, empty]).toEqual([409, 202, 422]);
    const { input, parent_session_id } = await session(String(fired.body.session_id));
    expect(parent_session_id).toBe(id);
    for (const text of ["2 subagents have finished.", "Found 0.", "Found 1.", "And?"]) expect(input).toContain(text);
    expect((await got(`${of}/mailbox`)).items).toEqual([]);
    expect((await sent("/api/conversations/none/fire")).status).toBe(404);
    expect((await server.get("/api/conversations/none/mailbox")).status).toBe(404);
  });

  it("has the posts again when the run that took them fails, and says that a subagent failed", async () => {
    const refusal = { status: 400, body: { type: "error", error: { type: "invalid_request_error", message: "No." } } };
    answer = (index) =>
      index === 0
        ? { calls: [{ name: "delegate", args: { subagent: "scout", task: "Look." } }] }
        : { text: "It looks." };
    scout = () => ({ error: refusal });
    const root = await server.whole({ input: "Send one." });
    await Promise.all(server.runtime.live.running().map(({ done }) => done));
    const of = `/api/conversations/${root.runId}`;
    const before = await got(`${of}/mailbox`);
    answer = () => ({ error: refusal });
    const fired = await sent(`${of}/fire`);
    await over(fired.body.session_id);

    expect(before.items).toMatchObject([{ outcome: "failed" }]);
    expect(await session(String(fired.body.session_id))).toMatchObject({ status: "failed" });
    expect(await got(`${of}/mailbox`)).toEqual(before);
  });
});
