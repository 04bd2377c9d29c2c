// @module-tag process
import { existsSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { CmError } from "@cm/object-model";
import { promptText, type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessOf } from "../../src/http/access.ts";
import { gate, presetOf, serverWith } from "../support/running-server.ts";
import { folderWith, removed } from "../support/scripted.ts";

let scripted: ScriptedModel;
let folder: string;
beforeAll(async () => {
  scripted = await startScriptedModel();
  folder = folderWith({ "a.txt": "alpha\n" });
});
afterAll(async () => {
  await scripted.close();
  removed(folder);
});

const statusOf = async (answer: Promise<Response>) => {
  const { status } = await answer;
  return status;
};

describe("a run that goes on", () => {
  it("is the only one of its conversation: a second start is refused with its id; forks are not", async () => {
    const { open, opened } = gate();
    const play = scripted.play(async ({ index }) => {
      if (index === 1) await opened;
      return { text: `Answer ${index}.` };
    });
    const server = await serverWith({ p: presetOf(play) }, folder);
    const first = await server.whole({ input: "One." });

    const second = await server.post("/api/conversations/run", {
      ...{ conversation_id: first.conversationId, input: "Two.", transport: "stream" },
    });
    const { session_id: running } = (await second.json()) as { session_id: string };
    const refused = await server.post("/api/conversations/run", {
      conversation_id: first.conversationId,
      input: "Three.",
    });
    const status = await (await server.get(`/api/sessions/${running}/status`)).json();
    const fork = await server.whole({ input: "Four." }, `/api/conversations/${first.conversationId}/fork`);
    open();
    await server.runtime.drain();

    expect(second.status).toBe(202);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ error: "conversation_busy", active_session: { session_id: running } });
    expect(status).toEqual({ session_id: running, status: "running" });
    expect(fork.conversationId).toBe(fork.runId);
    expect((await server.runtime.lineage.run(running)).status).toBe("committed");
    await server.stop();
  });

  it("fails where the records do not take its end, and its conversation goes on", async () => {
    const call = { id: "", name: "ask_person", args: {} };
    const play = scripted.play([{ text: "One." }, { calls: [call] }, { text: "Two." }]);
    const tools = [{ name: "ask_person", description: "Asks." }];
    const server = await serverWith({ p: presetOf(play, { tools }) }, folder);
    const { conversationId: conversation_id } = await server.whole({ input: "First." });

    const refused = await server.whole({ conversation_id, input: "Ask." });
    const next = await server.whole({ conversation_id, input: "Go on." });

    expect(refused.events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR" });
    const status = async ({ runId }: typeof next) => (await server.runtime.lineage.run(runId)).status;
    expect([await status(refused), await status(next)]).toEqual(["failed", "committed"]);
    await server.stop();
  });

  it("is interrupted in the middle of a tool, and what it did is committed", async () => {
    const began = join(folder, "began");
    const play = scripted.play([
      { calls: [{ name: "bash", args: { command: `touch ${began}; sleep 600` } }] },
      { text: "More." },
    ]);
    const server = await serverWith({ p: presetOf(play, { folders: ["."] }) }, folder);
    const begun = await server.post("/api/conversations/run", { input: "Sleep.", transport: "stream" });
    const { session_id: id } = (await begun.json()) as { session_id: string };
    await expect.poll(() => existsSync(began)).toBe(true);

    const interrupted = await (await server.post(`/api/conversations/${id}/interrupt`)).json();
    await server.runtime.live.get(id)?.done;
    const again = await (await server.post(`/api/conversations/${id}/interrupt`)).json();
    const over = await statusOf(server.post(`/api/sessions/${id}/interrupt`));
    const next = await server.whole({ conversation_id: id, input: "Go on." });

    expect([interrupted, again, over]).toEqual([{ interrupted: 1 }, { interrupted: 0 }, 404]);
    expect(await server.runtime.lineage.run(id)).toMatchObject({ status: "committed", state: { step: { n: 0 } } });
    expect(next.events.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED" });
    await server.stop();
  });

  it("takes a message once, and refuses one that is empty or comes too late", async () => {
    const { open, opened } = gate();
    const play = scripted.play(async ({ index }) => {
      if (index === 0) await opened;
      return index === 0 ? { calls: [{ name: "read", args: { path: "a.txt" } }] } : { text: "Done." };
    });
    const server = await serverWith({ p: presetOf(play, { folders: ["."] }) }, folder);
    const begun = await server.post("/api/conversations/run", { input: "Read.", transport: "stream" });
    const { session_id: id } = (await begun.json()) as { session_id: string };
    const steer = (body: object) => server.post(`/api/conversations/${id}/steer`, body);

    const said = await (await steer({ input: "Be quick.", message_id: "m1" })).json();
    const twice = await (await steer({ input: "Be quick.", message_id: "m1" })).json();
    const empty = await statusOf(steer({ input: " " }));
    open();
    await server.runtime.live.get(id)?.done;
    const late = await statusOf(steer({ input: "Too late." }));

    expect([said, twice, empty, late]).toEqual([{ accepted: true }, { accepted: false }, 422, 404]);
    expect(JSON.stringify(play.requests[1]?.body).split("Be quick.")).toHaveLength(2);
    await server.stop();
  });

  it("waits for what others must bring, and the next run brings it; what is not named is denied", async () => {
    const play = scripted.play([
      {
        calls: [
          { id: "ask", name: "ask_person", args: {} },
          { id: "run", name: "bash", args: { command: "touch never" } },
        ],
      },
      { text: "Thanks." },
    ]);
    const ask = { name: "ask_person", description: "Asks a person." };
    const preset = presetOf(play, { folders: ["."], tools: ["bash", ask], approve: ["bash"] });
    const server = await serverWith({ p: preset }, folder);

    const first = await server.whole({ input: "Ask." });
    const run = await server.runtime.lineage.run(first.runId);
    const second = await server.whole({ conversation_id: first.conversationId, tool_results: { ask: "The first." } });

    expect(first.events.at(-1)?.event).toMatchObject({
      outcome: {
        type: "interrupt",
        interrupts: [
          { id: "ask", reason: "tool_result" },
          { id: "run", reason: "tool_approval" },
        ],
      },
    });
    expect(run).toMatchObject({
      status: "awaiting_tool_results",
      pending: [{ tool_call_id: "ask" }, { tool_call_id: "run" }],
    });
    expect(second.events.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED" });
    expect(existsSync(join(folder, "never"))).toBe(false);
    expect(JSON.stringify(play.requests[1]?.body)).toContain("The first.");
    expect(JSON.stringify(play.requests[1]?.body)).toContain("The call was not approved.");
    await server.stop();
  });

  it("keeps a message that came too late for it, also where the run behind it fails after its first step", async () => {
    const { open, opened } = gate();
    const refusal = {
      error: { status: 400, body: { type: "error", error: { type: "invalid_request_error", message: "No." } } },
    };
    const play = scripted.play([
      async () => {
        await opened;
        return { calls: [{ id: "ask", name: "ask_person", args: {} }] };
      },
      { calls: [{ name: "read", args: { path: "a.txt" } }] },
      refusal,
      { text: "Thanks." },
    ]);
    const tools = ["read", { name: "ask_person", description: "Asks a person." }];
    const server = await serverWith({ p: presetOf(play, { folders: ["."], tools }) }, folder);
    const begun = await server.post("/api/conversations/run", { input: "Ask.", transport: "stream" });
    const { session_id: conversation_id } = (await begun.json()) as { session_id: string };
    await expect.poll(() => play.requests.length).toBe(1);
    const said = await server.post(`/api/conversations/${conversation_id}/steer`, { input: "Say please." });
    open();
    await server.runtime.live.get(conversation_id)?.done;

    const failed = await server.whole({ conversation_id, tool_results: { ask: "The first." } });
    const last = await server.whole({ conversation_id, tool_results: { ask: "The first." } });

    expect(await said.json()).toEqual({ accepted: true });
    expect([failed, last].map(({ events }) => events.at(-1)?.event.type)).toEqual(["RUN_ERROR", "RUN_FINISHED"]);
    expect(JSON.stringify(play.requests[3]?.body).split("Say please.")).toHaveLength(2);
    await server.stop();
  });

  it.each([
    ["at once", [], "run"],
    ["after its first step", [{ calls: [{ name: "read", args: { path: "a.txt" } }] }], "run"],
    ["as the first of a fork", [], "fork"],
  ])("runs an approved call once, also where its run fails %s and it is approved again", async (_, before, verb) => {
    const refusal = {
      error: { status: 400, body: { type: "error", error: { type: "invalid_request_error", message: "No." } } },
    };
    const ran = join(folder, `ran-${verb}-${before.length}`);
    const call = { id: "run", name: "bash", args: { command: `echo ran >> ${ran}; echo it ran` } };
    const play = scripted.play([{ calls: [call] }, ...before, refusal, { text: "Thanks." }]);
    const budget = { seconds: 600.0005 };
    const preset = presetOf(play, { folders: ["."], tools: ["read", "bash"], approve: ["bash"], budget });
    const server = await serverWith({ p: preset }, folder);
    const { conversationId: id } = await server.whole({ input: "Run." });
    const user_interactions = { run: { approved: true } };

    const failed =
      verb === "fork"
        ? await server.whole({ user_interactions }, `/api/conversations/${id}/fork`)
        : await server.whole({ conversation_id: id, user_interactions });
    const last = await server.whole({ conversation_id: failed.conversationId, user_interactions });

    const results = play.requests
      .at(-1)
      ?.sent.messages.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === "result" ? [block.text] : [])));
    expect([failed, last].map(({ events }) => events.at(-1)?.event.type)).toEqual(["RUN_ERROR", "RUN_FINISHED"]);
    expect(readFileSync(ran, "utf8")).toBe("ran\n");
    expect(results).toEqual(["it ran\n"]);
    await server.stop();
  });

  it.each([
    ["as it opens its session", 0, /"session:/],
    ["behind its first request", 1, /./],
    ["as it closes its session", 2, /"status":"paused"/],
  ])("keeps what its tools did where its store does not answer for a moment %s", async (_when, requests, asked) => {
    const play = scripted.play([
      { calls: [{ name: "bash", args: { command: `echo ran >> kept${requests}.txt` } }] },
      { text: "Done." },
    ]);
    const server = await serverWith({ p: presetOf(play, { folders: ["."] }) }, folder);
    const { commit, getMany } = server.store;
    let away = 3;
    // At the start of a run its caller hears of a fault, and no session is asked for.
    let isTime = false;
    const orAway =
      <Given extends unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) =>
      async (...given: Given): Promise<Answer> => {
        isTime ||= play.requests.length >= requests && asked.test(JSON.stringify(given));
        if (!isTime || away === 0) return ask.apply(server.store, given);
        away -= 1;
        throw new CmError("store/unavailable", "Away.", {});
      };
    server.store.commit = orAway(commit);
    server.store.getMany = orAway(getMany);

    const { runId, conversationId } = await server.whole({ input: "Run." });

    const run = await server.runtime.lineage.run(runId);
    expect(away).toBe(0);
    expect(run).toMatchObject({
      status: "committed",
      output: "Done.",
      state: { step: { session: conversationId, n: 1 } },
    });
    expect(readFileSync(join(folder, `kept${requests}.txt`), "utf8")).toBe("ran\n");
    expect(play.requests).toHaveLength(2);
    await server.stop();
  });

  it("is heard by the next one where it is the first of its conversation and was interrupted before a word", async () => {
    const play = scripted.play([{ end: "stall" }, { text: "Both." }, { text: "More." }]);
    const server = await serverWith({ p: presetOf(play) }, folder);
    const begun = await server.post("/api/conversations/run", { input: "My name is Ada.", transport: "stream" });
    const { conversation_id } = (await begun.json()) as { readonly conversation_id: string };
    await expect.poll(() => play.requests.length).toBe(1);
    await server.post(`/api/conversations/${conversation_id}/interrupt`);
    await expect.poll(() => server.runtime.live.running()).toEqual([]);

    const second = await server.whole({ conversation_id, input: "Who am I?" });
    const third = await server.whole({ conversation_id, input: "And now?" });

    const texts = play.requests.map(({ sent }) => promptText(sent));
    expect(texts.slice(1).map((text) => text.split("My name is Ada.").length - 1)).toEqual([1, 1]);
    expect(await server.runtime.lineage.state(second.runId)).toMatchObject({
      step: { session: conversation_id, n: 0 },
    });
    expect(await server.runtime.lineage.state(third.runId)).toMatchObject({ step: { session: conversation_id, n: 1 } });
    await server.stop();
  });

  it("leaves a call waiting that it did not answer where it is interrupted before the model said anything", async () => {
    const ask = { name: "ask_person", description: "Asks a person." };
    const play = scripted.play([
      { calls: [{ id: "ask", name: "ask_person", args: {} }] },
      { end: "stall" },
      { text: "Thanks." },
    ]);
    const server = await serverWith({ p: presetOf(play, { tools: [ask] }) }, folder);
    const { conversationId: conversation_id } = await server.whole({ input: "Ask." });
    const body = { conversation_id, input: "Never mind.", transport: "stream" };
    const { session_id: id } = (await (await server.post("/api/conversations/run", body)).json()) as {
      session_id: string;
    };
    await expect.poll(() => play.requests.length).toBe(2);
    await server.post(`/api/conversations/${conversation_id}/interrupt`);
    await server.runtime.live.get(id)?.done;

    const last = await server.whole({ conversation_id, tool_results: { ask: "The first." } });

    const results = play.requests[2]?.sent.messages.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.kind === "result" ? [block.text] : [])),
    );
    expect(last.events.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED" });
    expect(results).toEqual(["The first."]);
    await server.stop();
  });

  it("goes on with a model of another provider, and back, though answers carry signatures of the first", async () => {
    const thinks = { thinking: "I look.", calls: [{ name: "read", args: { path: "a.txt" } }] };
    const claude = scripted.play([thinks, { text: "Alpha." }, { text: "Back." }]);
    const gpt = scripted.play([thinks, { text: "Still alpha." }]);
    const others = {
      ...presetOf(gpt, { folders: ["."] }),
      model: { id: "gpt", api: "openai-responses", baseUrl: `${gpt.url}/v1` },
    };
    const server = await serverWith({ claude: presetOf(claude, { folders: ["."] }), gpt: others }, folder);

    const { conversationId: conversation_id } = await server.whole({ input: "Read it." });
    const second = await server.whole({ conversation_id, input: "And now?", preset_id: "gpt" });
    const third = await server.whole({ conversation_id, input: "Once more.", preset_id: "claude" });

    expect([second, third].map(({ events }) => events.at(-1)?.event.type)).toEqual(["RUN_FINISHED", "RUN_FINISHED"]);
    expect([...claude.unreadable, ...gpt.unreadable]).toEqual([]);
    expect(
      claude.requests[2]?.sent.messages.flatMap(({ blocks }) => blocks).filter(({ kind }) => kind === "thinking"),
    ).toHaveLength(1);
    await server.stop();
  });

  it("fails with a reason that its reader is told, and the conversation goes on from the run before", async () => {
    const refusal = {
      error: { status: 400, body: { type: "error", error: { type: "invalid_request_error", message: "No." } } },
    };
    const play = scripted.play([{ text: "One." }, refusal, { text: "Three." }]);
    const server = await serverWith({ p: presetOf(play) }, folder);
    const first = await server.whole({ input: "First." });

    const failed = await server.whole({ conversation_id: first.conversationId, input: "Second." });
    const third = await server.whole({ conversation_id: first.conversationId, input: "Third." });

    expect(failed.events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "failed" });
    expect(await server.runtime.lineage.run(failed.runId)).toMatchObject({ status: "failed", state: null });
    expect(await server.runtime.lineage.run(third.runId)).toMatchObject({ parent_session_id: first.runId });
    expect(JSON.stringify(play.requests[2]?.body)).not.toContain("Second.");
    await server.stop();
  });

  it("goes on also where the first run failed, and a fork then with what it was forked from", async () => {
    const refusal = {
      error: { status: 400, body: { type: "error", error: { type: "invalid_request_error", message: "No." } } },
    };
    const play = scripted.play([refusal, { text: "One." }, refusal, { text: "Two." }, { text: "Three." }]);
    const server = await serverWith({ p: presetOf(play) }, folder);
    const failed = await server.whole({ input: "Hi." });
    const { conversationId } = failed;

    const first = await server.whole({ conversation_id: conversationId, input: "Hello?" });
    const fork = await server.whole({ input: "Forked." }, `/api/conversations/${conversationId}/fork`);
    const again = await server.whole({ conversation_id: fork.conversationId, input: "Forked again." });
    const second = await server.whole({ conversation_id: conversationId, input: "And now?" });

    const said = play.requests.map(({ body }) => JSON.stringify(body));
    const run = async ({ runId }: { readonly runId: string }) => server.runtime.lineage.run(runId);
    expect(await run(first)).toMatchObject({ status: "committed", parent_session_id: null });
    expect(said[1]).not.toContain("Hi.");
    expect(await run(again)).toMatchObject({ status: "committed", parent_session_id: first.runId });
    expect(said[3]).toMatch(/Hello\?.*One\..*Forked again\./);
    expect(await run(second)).toMatchObject({ status: "committed", parent_session_id: first.runId });
    expect(said[4]).toMatch(/Hello\?.*One\..*And now\?/);
    expect(said[4]).not.toContain("Forked");
    await server.stop();
  });
});

describe("requests", () => {
  it("are answered with the seed's statuses", async () => {
    const play = scripted.play(() => ({ text: "Yes." }));
    const server = await serverWith({ p: presetOf(play) }, folder, { bufferMs: 0 });
    const { runId, conversationId } = await server.whole({ input: "Hello." });
    const run = (body: object) => statusOf(server.post("/api/conversations/run", body));
    const of = `/api/conversations/${conversationId}`;
    await expect.poll(() => server.runtime.live.get(runId)).toBeUndefined();

    expect({
      noInput: await run({}),
      noPreset: await run({ input: "x", preset_id: "other" }),
      noConversation: await run({ input: "x", conversation_id: "none" }),
      noFolder: await run({ input: "x", project_ids: ["/etc"] }),
      bothEnvironments: await run({ input: "x", project_ids: ["."], workspace_id: "w" }),
      unknownField: await run({ input: "x", other: 1 }),
      forkOfNothing: await statusOf(server.post(`${of}/fork`, { input: "x", from_session_id: "none" })),
      fireNothing: await statusOf(server.post(`${of}/fire`, {})),
      steerNothing: await statusOf(server.post(`${of}/steer`, { input: "x" })),
      eventsOfConversation: await statusOf(server.get(`${of}/events`)),
      eventsOfRun: await statusOf(server.get(`/api/sessions/${runId}/events`)),
      eventsOfNothing: await statusOf(server.get("/api/sessions/none/events")),
      noSession: await statusOf(server.get("/api/sessions/none/get")),
      nothing: await statusOf(server.get("/api/none")),
      tooLarge: await run({ input: "x".repeat(9_000_000) }),
      noJson: await statusOf(
        fetch(`${server.url}/api/conversations/run`, {
          method: "POST",
          body: "{",
          headers: { "content-type": "application/json" },
        }),
      ),
      tooMany: await statusOf(server.get("/api/conversations/list?limit=100000")),
    }).toEqual({
      ...{ noInput: 422, noPreset: 422, noConversation: 404, noFolder: 422, bothEnvironments: 422, unknownField: 422 },
      ...{ forkOfNothing: 404, fireNothing: 422, steerNothing: 404, eventsOfConversation: 410, eventsOfRun: 410 },
      ...{ eventsOfNothing: 404, noSession: 404, nothing: 404, tooLarge: 413, noJson: 400, tooMany: 422 },
    });
    await server.stop();
  });

  it("need a token where there are tokens, and come from this machine where there are none", async () => {
    const play = scripted.play([]);
    const sha256 = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from("secret")));
    const closed = await serverWith({ p: presetOf(play) }, folder, { access: accessOf([{ name: "me", sha256 }]) });
    const open = await serverWith({ p: presetOf(play) }, folder);
    const list = (url: string, headers: Record<string, string>) =>
      statusOf(fetch(`${url}/api/presets/list`, { headers }));

    expect(await list(closed.url, {})).toBe(401);
    expect(await list(closed.url, { authorization: "Bearer wrong" })).toBe(401);
    expect(await list(closed.url, { authorization: "Bearer secret" })).toBe(200);
    expect(await list(open.url, {})).toBe(200);
    expect(await list(open.url, { origin: "https://example.org" })).toBe(403);
    expect(await statusOf(fetch(`${closed.url}/healthz`))).toBe(200);
    expect(await statusOf(fetch(`${closed.url}/readyz`))).toBe(200);
    expect(await (await fetch(`${closed.url}/metrics`)).text()).toContain("cm_runs_running 0");
    await closed.stop();
    await open.stop();
  });

  it("count a body that was cut off as the caller's fault, and log none of ours", async () => {
    const logged: unknown[] = [];
    const server = await serverWith({ p: presetOf(scripted.play([])) }, folder, {
      log: (fields) => logged.push(fields),
    });
    const headers = { "content-type": "application/json" };
    const asking = request(`${server.url}/api/conversations/run`, { method: "POST", headers });
    asking.on("error", () => {});

    asking.write('{"input":"He', () => asking.destroy());

    const figures = async () => (await server.get("/metrics")).text();
    await expect.poll(figures).toMatch(/cm_http_requests_total\{method="POST",.*status="400"\} 1/);
    expect(logged).toEqual([]);
    await server.stop();
  });

  it("change a conversation, list it by its metadata page by page, and describe themselves", async () => {
    const play = scripted.play(() => ({ text: "Yes." }));
    const server = await serverWith({ p: presetOf(play) }, folder);
    for (const n of [1, 2, 3]) await server.whole({ input: `Number ${n}.`, metadata: { team: "a", n } });

    const page = await (
      await server.client.api.conversations.list.$get({ query: { metadata: '{"team":"a"}', limit: "2" } })
    ).json();
    const rest = await (
      await server.client.api.conversations.list.$get({
        query: { metadata: '{"team":"a"}', cursor: "next_cursor" in page ? (page.next_cursor ?? "") : "" },
      })
    ).json();
    const [newest] = "items" in page ? page.items : [];
    const param = { conversation_id: newest?.conversation_id ?? "" };
    const json = { title: "Mine", metadata: { n: null, more: true }, status: "archived" } as const;
    const changed = await (
      await server.client.api.conversations[":conversation_id"].update.$post({ param, json })
    ).json();
    const onArchived = await statusOf(server.post("/api/conversations/run", { ...param, input: "x" }));
    const openApi = (await (await server.get("/api/openapi.json")).json()) as { paths: object };

    expect(page).toMatchObject({ items: [{ title: "Number 3." }, { title: "Number 2." }], has_more: true });
    expect(rest).toMatchObject({ items: [{ title: "Number 1." }], has_more: false });
    expect(changed).toMatchObject({ title: "Mine", metadata: { team: "a", more: true }, status: "archived" });
    expect(onArchived).toBe(422);
    expect(Object.keys(openApi.paths)).toContain("/api/conversations/{conversation_id}/fork");
    await server.stop();
  });
});
