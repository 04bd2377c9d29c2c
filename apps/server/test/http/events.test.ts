// @module-tag process
import { type BaseEvent, HttpAgent } from "@ag-ui/client";
import { EventType } from "@ag-ui/core";
import { EventSchema } from "@ag-ui/core/schemas";
import { foldDisplay } from "@cm/lineage";
import { type CapturedRequest, type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ReadEvent, readEvents } from "../../src/client.ts";
import { gate, namesOf, presetOf, serverWith } from "../support/running-server.ts";
import { folderWith, modelOf, removed } from "../support/scripted.ts";

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

async function read(answer: Response, most = Number.POSITIVE_INFINITY): Promise<readonly ReadEvent[]> {
  const events: ReadEvent[] = [];
  for await (const event of readEvents(answer)) {
    events.push(event);
    if (events.length >= most) break;
  }
  return events;
}

describe("the events of a run", () => {
  it("are joined late by a hundred readers, each of whom has all of them; the run waits for none", async () => {
    const { open, opened } = gate();
    const play = scripted.play([
      { text: "First.", calls: [{ name: "read", args: { path: "a.txt" } }] },
      async () => {
        await opened;
        return { text: "Second." };
      },
    ]);
    const server = await serverWith({ p: presetOf(play, { folders: ["."] }) }, folder);
    const begun = await server.post("/api/conversations/run", { input: "Read.", transport: "stream" });
    const { session_id: id } = (await begun.json()) as { session_id: string };
    await expect.poll(() => play.requests.length).toBe(2);

    const readers = Array.from({ length: 100 }, async () => read(await server.get(`/api/sessions/${id}/events`)));
    await expect.poll(() => server.runtime.live.readers).toBe(100);
    open();
    const all = await Promise.all(readers);

    expect(new Set(all.map((events) => JSON.stringify(events))).size).toBe(1);
    expect(all[0]?.[0]?.event.type).toBe(EventType.RUN_STARTED);
    expect(all[0]?.at(-1)?.event.type).toBe(EventType.RUN_FINISHED);
    expect(all[0]?.map(({ id: number }) => Number(number))).toEqual(all[0]?.map((_, place) => place + 1));
    expect(server.runtime.live.readers).toBe(0);
    await server.stop();
  });

  it("go on behind the event that a reader names, while the run goes on and when it is over", async () => {
    const play = scripted.play([{ text: "Only." }]);
    const server = await serverWith({ p: presetOf(play) }, folder);
    const begun = await server.post("/api/conversations/run", { input: "Say." });
    const head = await read(begun, 2);
    const { runId: id } = namesOf(head[0]);
    await server.runtime.live.get(id)?.done;

    const rest = await read(await server.get(`/api/sessions/${id}/events`, { "last-event-id": head.at(-1)?.id ?? "" }));
    const last = rest.at(-1)?.id ?? "";
    const nothing = await server.get(`/api/sessions/${id}/events`, { "last-event-id": last });
    const wrong = await server.get(`/api/sessions/${id}/events`, { "last-event-id": "x" });

    expect(Number(rest[0]?.id)).toBe(3);
    expect(rest.at(-1)?.event.type).toBe(EventType.RUN_FINISHED);
    expect([nothing.status, wrong.status]).toEqual([204, 422]);
    await server.stop();
  });

  it("are gone for a reader who comes later than they are held, and then the session has what they said", async () => {
    const play = scripted.play([{ text: "One." }]);
    const server = await serverWith({ p: presetOf(play) }, folder, { bufferBytesMax: 300 });

    const { runId } = await server.whole({ input: "Say." });
    const late = await server.get(`/api/sessions/${runId}/events`);
    const session = (await (await server.get(`/api/sessions/${runId}/get`)).json()) as {
      display_messages: BaseEvent[];
    };

    expect(late.status).toBe(410);
    expect(session.display_messages).toMatchObject([
      { type: EventType.CUSTOM, name: "message_seen" },
      { type: EventType.TEXT_MESSAGE_CHUNK, delta: "One." },
      { type: EventType.CUSTOM, name: "step" },
      { type: EventType.CUSTOM, name: "usage_snapshot" },
    ]);
    await server.stop();
  });

  it("are what AG-UI's own schemas take, and fold into what is kept", async () => {
    const play = scripted.play([
      { thinking: "I think.", text: "Look.", calls: [{ name: "read", args: { path: "a.txt" } }] },
      { text: "Done." },
    ]);
    const server = await serverWith({ p: presetOf(play, { folders: ["."] }) }, folder);

    const { runId, events } = await server.whole({ input: "Read." });
    const kept = await server.runtime.lineage.display(runId);

    expect(events.map(({ event }) => EventSchema.safeParse(event).success)).not.toContain(false);
    expect(kept).toEqual(foldDisplay(events.map(({ event }) => event)));
    expect(kept.filter(({ type }) => type !== EventType.CUSTOM)).toMatchObject([
      { type: EventType.REASONING_MESSAGE_CHUNK, delta: "I think." },
      { type: EventType.TEXT_MESSAGE_CHUNK, delta: "Look." },
      { type: EventType.TOOL_CALL_CHUNK, toolCallName: "read" },
      { type: EventType.TOOL_CALL_RESULT, content: expect.stringContaining("alpha") },
      { type: EventType.TEXT_MESSAGE_CHUNK, delta: "Done." },
    ]);
    await server.stop();
  });
});

describe("a client of AG-UI from npm", () => {
  it("runs an agent, has its messages, and goes on in the same thread", async () => {
    const play = scripted.play([
      { text: "Look.", calls: [{ name: "read", args: { path: "a.txt" } }] },
      { text: "It says alpha." },
      { text: "You are welcome." },
    ]);
    const server = await serverWith({ p: presetOf(play, { folders: ["."] }) }, folder);
    const agent = new HttpAgent({ url: `${server.url}/api/ag-ui/p`, threadId: "thread-1" });

    agent.addMessage({ id: "u1", role: "user", content: "What does it say?" });
    await agent.runAgent();
    const said = agent.messages.map(({ role }) => role);
    agent.addMessage({ id: "u2", role: "user", content: "Thanks." });
    const { newMessages } = await agent.runAgent();

    expect(said).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(newMessages).toMatchObject([{ role: "assistant", content: "You are welcome." }]);
    expect(await server.runtime.lineage.conversation("thread-1")).toMatchObject({ title: "What does it say?" });
    expect((await server.runtime.lineage.turns("thread-1")).turns).toHaveLength(2);
    expect(JSON.stringify(play.requests[2]?.body).split("What does it say?")).toHaveLength(2);
    await server.stop();
  });

  it("does what its own tools are for: a run ends at their call, and the next one brings the result", async () => {
    const play = scripted.play([
      { text: "I ask.", calls: [{ name: "pick_colour", args: { of: "roof" } }] },
      { text: "Green it is." },
    ]);
    const server = await serverWith({ p: presetOf(play, { folders: ["."] }) }, folder);
    const agent = new HttpAgent({ url: `${server.url}/api/ag-ui/p`, threadId: "thread-2" });
    const tools = [
      {
        name: "pick_colour",
        description: "The person picks a colour.",
        parameters: { type: "object", properties: { of: { type: "string" } } },
      },
    ];

    agent.addMessage({ id: "u1", role: "user", content: "Paint the roof." });
    await agent.runAgent({ tools });
    const [call] = agent.messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
    const awaiting = (await server.runtime.lineage.turns("thread-2")).turns;
    agent.addMessage({ id: "r1", role: "tool", toolCallId: call?.id ?? "", content: "green" });
    const { newMessages } = await agent.runAgent({ tools });

    expect(call?.function).toMatchObject({ name: "pick_colour", arguments: JSON.stringify({ of: "roof" }) });
    expect(JSON.stringify(awaiting)).toContain("awaiting_tool_results");
    expect(newMessages).toMatchObject([{ role: "assistant", content: "Green it is." }]);
    expect(agent.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    const id = (await server.runtime.lineage.turns("thread-2")).turns.at(-1)?.session_id ?? "";
    expect(await server.runtime.lineage.display(id)).toContainEqual(expect.objectContaining({ content: "green" }));
    const [first, second] = play.requests.map(({ body }) => JSON.stringify(body));
    expect(first).toContain("The person picks a colour.");
    expect(second).toContain("green");
    await server.stop();
  });

  it("has one answer as one message: its words, and its calls in it, also behind thoughts", async () => {
    const calls = [
      { name: "read", args: { path: "a.txt" } },
      { name: "ls", args: {} },
    ];
    const play = scripted.play([
      { thinking: "I think.", text: "I look.", calls },
      { thinking: "Again.", calls },
      { text: "Done." },
    ]);
    const server = await serverWith({ p: presetOf(play, { folders: ["."] }) }, folder);
    const agent = new HttpAgent({ url: `${server.url}/api/ag-ui/p`, threadId: "thread-3" });

    agent.addMessage({ id: "u1", role: "user", content: "Look." });
    await agent.runAgent();

    const answers = agent.messages.flatMap((message) =>
      message.role === "assistant" ? [[message.content ?? "", message.toolCalls?.length ?? 0]] : [],
    );
    expect(answers).toEqual([
      ["I look.", 2],
      ["", 2],
      ["Done.", 0],
    ]);
    await server.stop();
  });

  it("says again what a run was told that failed in the middle of its answer", async () => {
    const play = scripted.play([
      { text: "I ask.", calls: [{ name: "pick_colour", args: {} }] },
      { text: "No colour, so", end: "cut" },
      { text: "Green, so", end: "cut" },
      { text: "Green it is." },
    ]);
    const server = await serverWith({ p: presetOf(play, { folders: ["."] }) }, folder);
    const agent = new HttpAgent({ url: `${server.url}/api/ag-ui/p`, threadId: "thread-4" });
    const tools = [{ name: "pick_colour", description: "Picks.", parameters: {} }];

    agent.addMessage({ id: "u1", role: "user", content: "Paint the roof." });
    await agent.runAgent({ tools });
    agent.addMessage({ id: "u2", role: "user", content: "Be quick." });
    await agent.runAgent({ tools }).catch(() => undefined);
    agent.addMessage({ id: "r1", role: "tool", toolCallId: "call_0_0", content: "green" });
    await agent.runAgent({ tools }).catch(() => undefined);
    agent.addMessage({ id: "u3", role: "user", content: "Go on." });
    await agent.runAgent({ tools });

    expect(saidIn(play.requests[3])).toEqual(["Paint the roof.", "I ask.", "green", "Be quick.\n\nGo on."]);
    await server.stop();
  });

  it("says why a call of its own tool failed", async () => {
    const play = scripted.play([{ calls: [{ name: "pick_colour", args: {} }] }, { text: "Then not." }]);
    const server = await serverWith({ p: presetOf(play) }, folder);
    const agent = new HttpAgent({ url: `${server.url}/api/ag-ui/p`, threadId: "thread-6" });
    const tools = [{ name: "pick_colour", description: "Picks.", parameters: {} }];

    agent.addMessage({ id: "u1", role: "user", content: "Paint." });
    await agent.runAgent({ tools });
    agent.addMessage({ id: "r1", role: "tool", toolCallId: "call_0_0", content: "", error: "The palette is closed." });
    await agent.runAgent({ tools });

    const results = play.requests[1]?.sent.messages.flatMap(({ blocks }) =>
      blocks.filter(({ kind }) => kind === "result"),
    );
    expect(results).toMatchObject([{ text: "The palette is closed.", isError: true }]);
    await server.stop();
  });

  it("shows pictures, and is told of what an agent cannot take", async () => {
    const play = scripted.play([{ text: "Green." }]);
    const model = { ...modelOf(play), images: true };
    const server = await serverWith({ p: { model, prompt: "You work." } }, folder);
    const say = (threadId: string, ...content: object[]) =>
      server.post("/api/ag-ui/p", { threadId, runId: "r", messages: [{ id: "u1", role: "user", content }] });
    const source = { type: "data", value: "iVBORw0KGgoAAAAN", mimeType: "image/png" };
    const see = { type: "text", text: "See." };

    const picture = await read(await say("thread-7", see, { type: "image", source }));
    const refused = await Promise.all([
      say("t1", see, { type: "audio", source: { ...source, mimeType: "audio/wav" } }),
      say("t2", see, { type: "image", source: { ...source, mimeType: "image/tiff" } }),
      say("t3", { type: "text", text: "x".repeat(600_000) }, { type: "text", text: "y".repeat(600_000) }),
    ]);

    expect(picture.at(-1)?.event.type).toBe(EventType.RUN_FINISHED);
    const blocks = play.requests[0]?.sent.messages.flatMap((message) => message.blocks);
    expect(blocks).toMatchObject([{ text: "See." }, { kind: "image", data: source.value }]);
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422]);
    const why = await Promise.all(
      refused.map(async (answer) => ((await answer.json()) as { message: string }).message),
    );
    expect(why).toEqual([
      expect.stringContaining('a part of the type "audio"'),
      expect.stringContaining("(1.mime): must be a picture"),
      expect.stringContaining("Too big"),
    ]);
    await server.stop();
  });

  it("denies a call and approves another, with no more than AG-UI asks of it", async () => {
    const calls = ["no", "yes", "both", "false", "word"].map((id) => ({
      id,
      name: "bash",
      args: { command: `echo it is ${id}` },
    }));
    const play = scripted.play([{ calls }, { text: "Done." }]);
    const server = await serverWith({ p: presetOf(play, { folders: ["."], approve: ["bash"] }) }, folder);
    const agent = new HttpAgent({ url: `${server.url}/api/ag-ui/p`, threadId: "thread-8" });

    agent.addMessage({ id: "u1", role: "user", content: "All." });
    await agent.runAgent();
    const payloads = new Map<string, unknown>([
      ["false", false],
      ["word", { approved: "no" }],
    ]);
    const resume = agent.pendingInterrupts.map(({ id }) => ({
      interruptId: id,
      status: id === "no" ? ("cancelled" as const) : ("resolved" as const),
      ...(payloads.has(id) ? { payload: payloads.get(id) } : {}),
    }));
    const both = resume.slice(2, 3).map((entry) => ({ ...entry, status: "cancelled" as const }));
    await agent.runAgent({ resume: [...both, ...resume] });

    expect(resume).toHaveLength(5);
    const denied = "The call was denied.";
    expect(saidIn(play.requests[1])).toEqual(["All.", "it is yes\n", denied, denied, denied, denied]);
    await server.stop();
  });

  it("says nothing twice where it left a run or one was interrupted before it could say anything", async () => {
    const { open, opened } = gate();
    const play = scripted.play([
      { text: "One." },
      async () => {
        await opened;
        return { text: "Two." };
      },
      { end: "stall" },
      { text: "Four." },
    ]);
    const server = await serverWith({ p: presetOf(play) }, folder);
    const agent = new HttpAgent({ url: `${server.url}/api/ag-ui/p`, threadId: "thread-5" });
    const say = (content: string) => {
      agent.addMessage({ id: content, role: "user", content });
      return agent.runAgent().catch(() => undefined);
    };
    const over = () => expect.poll(() => server.runtime.live.running()).toEqual([]);

    await say("First.");
    const second = say("Second.");
    await expect.poll(() => play.requests.length).toBe(2);
    agent.abortRun();
    await second;
    open();
    await over();
    const third = say("Third.");
    await expect.poll(() => play.requests.length).toBe(3);
    await server.post("/api/conversations/thread-5/interrupt");
    await third;
    await over();
    await say("Fourth.");

    expect(saidIn(play.requests[3])).toEqual(["First.", "One.", "Second.", "Two.", "Third.", "Fourth."]);
    await server.stop();
  });

  it("goes on with a thread that another client begins in the same moment, or hears that it is busy", async () => {
    const { open, opened } = gate();
    const play = scripted.play(async () => {
      await opened;
      return { text: "Done." };
    });
    const server = await serverWith({ p: presetOf(play) }, folder);
    const say = (content: string) =>
      server.post("/api/ag-ui/p", {
        threadId: "thread-10",
        runId: content,
        messages: [{ id: content, role: "user", content }],
      });

    const { getMany } = server.store;
    const { open: bothLook, opened: bothLooked } = gate();
    let looks = 0;
    server.store.getMany = async (...given) => {
      const found = await getMany.call(server.store, ...given);
      looks += 1;
      if (looks === 2) bothLook();
      if (looks <= 2) await bothLooked;
      return found;
    };

    const answers = await Promise.all(["one", "two"].map(say));
    const refused = answers.find(({ ok }) => !ok);
    open();
    await Promise.all(answers.filter(({ ok }) => ok).map((answer) => answer.text()));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await refused?.json()).toMatchObject({
      error: "conversation_busy",
      active_session: { session_id: "thread-10" },
    });
    await server.stop();
  });

  it("says a prompt once that it sends again after an interrupt, in the first run of its thread, too", async () => {
    const play = scripted.play([
      { end: "stall" },
      { end: "stall" },
      { text: "One." },
      { end: "stall" },
      { text: "Two." },
    ]);
    const server = await serverWith({ p: presetOf(play) }, folder);
    const agent = new HttpAgent({ url: `${server.url}/api/ag-ui/p`, threadId: "thread-9" });
    const send = () => agent.runAgent().catch(() => undefined);
    const interrupted = async () => {
      const asked = play.requests.length + 1;
      const sent = send();
      await expect.poll(() => play.requests.length).toBe(asked);
      await server.post("/api/conversations/thread-9/interrupt");
      await sent;
      await expect.poll(() => server.runtime.live.running()).toEqual([]);
    };

    agent.addMessage({ id: "first", role: "user", content: "First." });
    await interrupted();
    await interrupted();
    await send();
    agent.addMessage({ id: "second", role: "user", content: "Second." });
    await interrupted();
    await send();

    expect(play.requests.slice(0, 3).map(saidIn)).toEqual([["First."], ["First."], ["First."]]);
    expect(play.requests.slice(3).map(saidIn)).toEqual(Array(2).fill(["First.", "One.", "Second."]));
    await server.stop();
  });

  it.each([
    ["is no JSON", '{"threadId":', 400],
    ["is no input", '{"threadId":"t"}', 422],
  ])("is refused where its body %s", async (_what, body, status) => {
    const server = await serverWith({ p: presetOf(scripted.play([])) }, folder);

    const answer = await fetch(`${server.url}/api/ag-ui/p`, { method: "POST", body });

    expect([answer.status, await answer.json()]).toMatchObject([status, { error: "invalid_request" }]);
    await server.stop();
  });

  it.each([
    ["a name that the preset has", [tool("read")], "read already"],
    ["a name twice", [tool("mine"), tool("mine")], "mine already"],
    ["the name of the tool for the context", [tool("cm_context")], "cm_context already"],
    ["too long ones", [tool("mine", "x".repeat(9_999)), ...many(30)], "characters together"],
    ["too many", many(129), "tools: Too big"],
  ])("is refused with tools of %s, and nothing is begun", async (_name, tools, words) => {
    const server = await serverWith({ p: presetOf(scripted.play([]), { folders: ["."] }) }, folder);
    const messages = [{ id: "u1", role: "user", content: "Go." }];

    const answer = await server.post("/api/ag-ui/p", { threadId: "t", runId: "r", messages, tools });

    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain(words);
    await expect(server.runtime.lineage.conversation("t")).rejects.toMatchObject({ code: "lineage/not-found" });
    await server.stop();
  });
});

/** The texts of a request, in order. */
function saidIn(request: CapturedRequest | undefined): readonly string[] {
  const blocks = request?.sent.messages.flatMap((message) => message.blocks) ?? [];
  return blocks.flatMap((block) => (block.kind === "text" || block.kind === "result" ? [block.text] : []));
}

function tool(name: string, description = "It does."): object {
  return { name, description, parameters: {} };
}

function many(count: number): object[] {
  return Array.from({ length: count }, (_, place) => tool(`mine-${place}`, "y".repeat(9_000)));
}
