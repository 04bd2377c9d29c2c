// @module-tag process
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  checkStructure,
  promptText,
  type ScriptedModel,
  type SentPrompt,
  startScriptedModel,
} from "@cm/scripted-models";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { approvalOf, type CallChecks, noNoticesInFiles } from "../../src/agent/call-checks.ts";
import { Inbox } from "../../src/agent/inbox.ts";
import { runAgent } from "../../src/agent/run-agent.ts";
import { deferredTool } from "../../src/tools/deferred-tools.ts";
import { folderWith, readyRun, removed } from "../support/scripted.ts";

let scripted: ScriptedModel;
beforeAll(async () => {
  scripted = await startScriptedModel();
});
afterAll(() => scripted.close());

describe("a run of the agent", () => {
  it("reads, edits and runs commands, and each answer is a step of the session", async () => {
    const folder = folderWith({ "a.txt": "alpha\n" });
    const play = scripted.play([
      { thinking: "I look.", calls: [{ name: "read", args: { path: "a.txt" } }] },
      { calls: [{ name: "edit", args: { path: "a.txt", edits: [{ oldText: "alpha", newText: "beta" }] } }] },
      { calls: [{ name: "bash", args: { command: "cat a.txt" } }] },
      { text: "It says beta." },
    ]);
    const ready = await readyRun(play, folder, "Make it beta.");

    const outcome = await runAgent(ready.options);

    expect(outcome).toMatchObject({
      end: "answered",
      text: "It says beta.",
      last: { address: { session: "c1", n: 3 } },
    });
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("beta\n");
    expect(play.requests).toHaveLength(4);
    expect(play.unreadable).toEqual([]);
    expect(outcome.usage).toMatchObject([{ model: "scripted", requests: 4 }]);
    expect((await ready.options.session.objects()).map(({ kind }) => kind).sort()).toEqual([
      "file",
      "toolcall",
      "toolcall",
      "toolcall",
    ]);
    await ready.close();
    removed(folder);
  });

  it("is interrupted in the middle of a tool: the call is over, its result is kept, and the model is not asked again", async () => {
    const folder = folderWith({});
    const play = scripted.play([
      { text: "I wait.", calls: [{ name: "bash", args: { command: "touch began; sleep 600" } }] },
    ]);
    const ready = await readyRun(play, folder, "Wait.");

    const running = runAgent(ready.options);
    await expect.poll(() => existsSync(join(folder, "began"))).toBe(true);
    ready.abort.abort();
    const outcome = await running;

    expect(outcome).toMatchObject({ end: "interrupted", last: { address: { n: 0 } }, text: "I wait." });
    expect(play.requests).toHaveLength(1);
    expect((await ready.options.session.objects())[0]).toMatchObject({ kind: "toolcall", status: "fail" });
    await ready.close();
    removed(folder);
  });

  it("sees a message at its next model call, once, however often it is sent", async () => {
    const folder = folderWith({ "a.txt": "alpha\n" });
    let steer = () => {};
    const play = scripted.play([
      () => {
        steer();
        return { calls: [{ name: "read", args: { path: "a.txt" } }] };
      },
      { calls: [{ name: "read", args: { path: "a.txt" } }] },
      { text: "Done." },
    ]);
    const ready = await readyRun(play, folder, "Read.");
    const said: string[] = [];
    steer = () =>
      said.push(ready.inbox.put({ id: "s1", text: "Be quick." }), ready.inbox.put({ id: "s1", text: "Be quick." }));

    const outcome = await runAgent(ready.options);

    expect(said).toEqual(["taken", "known"]);
    expect(outcome.end).toBe("answered");
    expect(play.requests.map(({ sent }) => promptText(sent).split("Be quick.").length - 1)).toEqual([0, 1, 1]);
    expect(ready.inbox.put({ id: "s2", text: "Too late." })).toBe("closed");
    await ready.close();
    removed(folder);
  });

  it("goes on with a follow-up when it would end", async () => {
    const folder = folderWith({});
    const play = scripted.play([{ text: "One." }, { text: "Two." }]);
    const ready = await readyRun(play, folder, "Count.");
    ready.inbox.put({ id: "f1", text: "And then?" }, "at-end");

    const outcome = await runAgent(ready.options);

    expect(outcome).toMatchObject({ end: "answered", text: "Two.", last: { address: { n: 1 } } });
    await ready.close();
    removed(folder);
  });

  it("keeps the results of calls apart to which the model gave one id", async () => {
    const folder = folderWith({ "a.txt": "alpha\n", "b.txt": "beta\n" });
    const read = (path: string) => ({ id: "call_0", name: "read", args: { path } });
    const play = scripted.play([{ calls: [read("a.txt"), read("b.txt")] }, { text: "Both." }]);
    const ready = await readyRun(play, folder, "Read them.");

    const { end } = await runAgent(ready.options);

    expect(end).toBe("answered");
    expect(ready.options.session.view().log.flatMap((entry) => (entry.kind === "result" ? [entry.text] : []))).toEqual([
      "alpha\n",
      "beta\n",
    ]);
    expect(promptText(play.requests.at(-1)?.sent as SentPrompt)).toMatch(/alpha.*beta/s);
    await ready.close();
    removed(folder);
  });

  it("sends a result that came after a person spoke behind its call, and once where a run was interrupted", async () => {
    const folder = folderWith({});
    const inbox = new Inbox();
    const play = scripted.play(({ index }) => {
      if (index > 0) return { text: "Thanks." };
      inbox.put({ id: "late", text: "Hurry." });
      return { calls: [{ id: "run", name: "bash", args: { command: "echo ran >> b.txt" } }] };
    });
    const ready = await readyRun(play, folder, "Go.");
    const checks = [approvalOf(["bash"])];
    const settled = [{ callId: "run", kind: "approval" as const, approved: true, reason: null }];
    const going = () => ({ ...ready.options, checks, settled, inbox: new Inbox(), input: [] });
    const abort = new AbortController();

    await runAgent({ ...ready.options, checks, inbox });
    const interrupted = await runAgent({ ...going(), signal: abort.signal, onEvent: () => abort.abort() });
    const last = await runAgent(going());

    expect([interrupted.end, last.end]).toEqual(["interrupted", "answered"]);
    expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("ran\n");
    expect(promptText(play.requests.at(-1)?.sent as SentPrompt)).toContain("Hurry.");
    expect(play.requests.flatMap(checkStructure)).toEqual([]);
    await ready.close();
    removed(folder);
  });

  it("ends as awaiting at a call that is answered from outside, and goes on with what they bring", async () => {
    const folder = folderWith({ "a.txt": "alpha\n" });
    const play = scripted.play([
      {
        calls: [
          { id: "ask", name: "ask_person", args: { question: "Which?" } },
          { id: "read", name: "read", args: { path: "a.txt" } },
          { id: "run", name: "bash", args: { command: "echo ran > b.txt" } },
        ],
      },
      { text: "Thanks." },
    ]);
    const ready = await readyRun(play, folder, "Ask.");
    const ask = deferredTool({
      name: "ask_person",
      description: "Asks.",
      parameters: { type: "object", properties: {} },
    });
    const options = {
      ...ready.options,
      tools: [...ready.options.tools, ask],
      deferred: new Set(["ask_person"]),
      checks: [approvalOf(["bash"])],
    };

    const first = await runAgent(options);
    const isRunBefore = existsSync(join(folder, "b.txt"));
    const second = await runAgent({
      ...options,
      inbox: new Inbox(),
      input: [],
      settled: [
        { callId: "ask", kind: "call", failed: false, text: "The first." },
        { callId: "run", kind: "approval", approved: true, reason: null },
      ],
    });

    expect(first).toMatchObject({
      end: "awaiting",
      awaited: [
        { callId: "ask", kind: "call" },
        { callId: "run", kind: "approval" },
      ],
    });
    expect(isRunBefore).toBe(false);
    expect(second).toMatchObject({ end: "answered", text: "Thanks." });
    expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("ran\n");
    expect(play.requests.flatMap(checkStructure)).toEqual([]);
    expect(promptText(play.requests.at(-1)?.sent as SentPrompt)).toContain("The first.");
    await ready.close();
    removed(folder);
  });

  it("keeps a message that was to be seen at its end where a rule ends it before", async () => {
    const folder = folderWith({ "a.txt": "alpha\n" });
    const inbox = new Inbox();
    const play = scripted.play(({ index }) => {
      if (index > 0) return { text: "Then this." };
      inbox.put({ id: "later", text: "And then?" }, "at-end");
      return { calls: [{ name: "read", args: { path: "a.txt" } }] };
    });
    const ready = await readyRun(play, folder, "Read.");
    const enough: CallChecks = {
      beforeModel: ({ requests }) =>
        requests === 0 ? { do: "allow" } : { do: "stop", end: "budget", reason: "One request is enough." },
    };

    const stopped = await runAgent({ ...ready.options, inbox, checks: [enough] });
    const next = await runAgent({ ...ready.options, inbox: new Inbox(), input: [{ id: "m2", text: "Go on." }] });

    expect([stopped, next]).toMatchObject([{ end: "budget", last: { address: { n: 0 } } }, { end: "answered" }]);
    expect(promptText(play.requests.at(-1)?.sent as SentPrompt)).toContain("And then?");
    await ready.close();
    removed(folder);
  });

  it("tells a model whose arguments are no object so, and goes on", async () => {
    const folder = folderWith({});
    const play = scripted.play([{ calls: [{ name: "read", args: "null" }] }, { text: "Without, then." }]);
    const ready = await readyRun(play, folder, "Read.");

    const outcome = await runAgent(ready.options);

    expect(outcome).toMatchObject({ end: "answered", text: "Without, then." });
    expect(promptText(play.requests.at(-1)?.sent as SentPrompt)).toContain("Validation failed");
    expect(play.requests.flatMap(checkStructure)).toEqual([]);
    await ready.close();
    removed(folder);
  });

  it("asks again where the provider was overloaded, and fails with a reason where it refuses", async () => {
    const folder = folderWith({});
    const play = scripted.play([
      { error: { status: 529, body: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } } } },
      { text: "Here." },
      { error: { status: 400, body: { type: "error", error: { type: "invalid_request_error", message: "No." } } } },
    ]);
    const ready = await readyRun(play, folder, "Hello.");

    const first = await runAgent(ready.options);
    const second = await runAgent({ ...ready.options, inbox: new Inbox() });

    expect(first).toMatchObject({ end: "answered", text: "Here." });
    expect(second).toMatchObject({
      end: "failed",
      last: undefined,
      reason: expect.stringContaining("provider failed"),
    });
    await ready.close();
    removed(folder);
  });

  it("ends with what it has when its budget is spent", async () => {
    const folder = folderWith({ "a.txt": "alpha\n" });
    const play = scripted.play(() => ({ calls: [{ name: "read", args: { path: "a.txt" } }] }));
    const ready = await readyRun(play, folder, "Read for ever.");

    const outcome = await runAgent({ ...ready.options, budget: { stepsMax: 3, ms: 60_000 } });

    expect(outcome).toMatchObject({ end: "budget", last: { address: { n: 2 } } });
    expect(play.requests).toHaveLength(3);
    await ready.close();
    removed(folder);
  });

  it("ends in the middle of a tool when its time is up, with what it has", async () => {
    const folder = folderWith({});
    const play = scripted.play([{ text: "I wait.", calls: [{ name: "bash", args: { command: "sleep 600" } }] }]);
    const ready = await readyRun(play, folder, "Wait.");

    const outcome = await runAgent({ ...ready.options, budget: { stepsMax: 100, ms: 300 } });

    expect(outcome).toMatchObject({ end: "budget", text: "I wait.", last: { address: { n: 0 } } });
    await ready.close();
    removed(folder);
  });

  it("asks its rules before each model call and each tool call, and does not do what they deny", async () => {
    const folder = folderWith({});
    const play = scripted.play([
      { calls: [{ name: "bash", args: { command: "touch never" } }] },
      { calls: [{ name: "write", args: { path: "a.txt", content: "[cm: t1: 3 lines]" } }] },
      { text: "Not reached." },
    ]);
    const ready = await readyRun(play, folder, "Touch.");
    const rules: CallChecks = {
      beforeModel: ({ requests }) =>
        requests < 2 ? { do: "allow" } : { do: "deny", reason: "Two requests are enough." },
      beforeTool: ({ tool }) => (tool === "bash" ? { do: "deny", reason: "No commands here." } : { do: "allow" }),
    };

    const outcome = await runAgent({ ...ready.options, checks: [noNoticesInFiles, rules] });

    expect(outcome).toMatchObject({ end: "failed", reason: "Two requests are enough.", last: { address: { n: 1 } } });
    expect(JSON.stringify(play.requests[1]?.body)).toContain("No commands here.");
    expect([existsSync(join(folder, "never")), existsSync(join(folder, "a.txt"))]).toEqual([false, false]);
    await ready.close();
    removed(folder);
  });
});
