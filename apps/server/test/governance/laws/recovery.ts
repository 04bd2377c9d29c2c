import { readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { createMemoryStateStore } from "@cm/lineage";
import { type ObjectDocument, type ObjectStore, payloadOf, sealDocument, type Write } from "@cm/object-model";
import {
  type Answerer,
  checkStructure,
  promptText,
  type ScriptedAnswer,
  type ScriptedModel,
  startScriptedModel,
} from "@cm/scripted-models";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readEvents } from "../../../src/client.ts";
import { type GovernedWorld, rest, serversIn } from "../../support/governed.ts";
import { whileAlive } from "../../support/mortal-server.ts";
import { gate, namesOf, presetOf } from "../../support/running-server.ts";
import { folderWith, removed } from "../../support/scripted.ts";

const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };

const stepNumber = (document: ObjectDocument): number => (document as unknown as { readonly n: number }).n;

/** The step as it is where something else than us wrote it: nothing leads to it. */
const withoutParent = (document: ObjectDocument): Write => ({
  document: sealDocument({ type: "step", id: document["xt/id"] }, {
    ...(payloadOf(document) as object),
    parent: { session: "nowhere", n: 99 },
  } as never),
  expect: "any",
});

/** A task survives the end of its server, which is one of this process. */
export function recoveryLaws(world: GovernedWorld): void {
  let scripted: ScriptedModel;
  beforeAll(async () => {
    scripted = await startScriptedModel();
  });
  afterAll(() => scripted.close());
  const governedServer = serversIn(world);

  /**
   * A conversation whose second task was interrupted behind its first step, or a fork of its first one whose task was;
   * `answers`: what the model says afterwards.
   */
  const interrupted = async (answers: readonly (Answerer | ScriptedAnswer)[], isFork = false) => {
    const folder = folderWith({ "a.txt": "alpha\n" });
    const { open: reached, opened: isReached } = gate();
    const play = scripted.play([
      { text: "Blue." },
      ...(isFork ? [{ text: "Green." }] : []),
      { calls: [{ name: "read", args: { path: "a.txt" } }] },
      async () => {
        reached();
        return new Promise<never>(() => {});
      },
      ...answers,
    ]);
    const store = await world.open();
    const life = { isOver: false };
    const presets = { p: presetOf(play, { folders: ["."] }) };
    const on = { states: createMemoryStateStore(), name: "one" };
    const before = await governedServer(presets, folder, { server: { ...on, store: whileAlive(store, life) } });
    const first = await before.whole({ input: "Which colour?" });
    before.clock.pass(1);
    const named = { conversation_id: first.conversationId };
    if (isFork) await before.whole({ ...named, input: "And another?" });
    const begun = await (isFork
      ? before.post(`/api/conversations/${first.conversationId}/fork`, { from_session_id: first.runId, input: "Read." })
      : before.post("/api/conversations/run", { ...named, input: "Read." }));
    const { runId, conversationId: id } = namesOf((await readEvents(begun).next()).value);
    await isReached;
    await expect.poll(async () => (await before.governance.workspaces.runningTasks(id))[0]?.steps).toBe(1);
    life.isOver = true;
    const restarted = () => governedServer(presets, folder, { testClock: before.clock, server: { ...on, store } });
    return { folder, play, store, restarted, id, runId };
  };

  it("goes on with what was said before a task whose log cannot be read, or with nothing, and says so", async () => {
    for (const [kept, from] of [
      ["the log before it", "history"],
      ["nothing", "nothing"],
    ] as const) {
      const { folder, play, store, restarted, id, runId } = await interrupted([{ text: "Done." }]);
      const { versions } = await store.find({ type: "step" }, { documents: true });
      const steps = versions
        .flatMap(({ document }) => document ?? [])
        .sort((a, b) => (stepNumber(a) < stepNumber(b) ? -1 : 1));
      await store.commit((kept === "nothing" ? steps : steps.slice(-1)).map(withoutParent));

      const after = await restarted();
      const run = await after.whole({}, `/api/governance/sessions/${id}/tasks/${runId}/recover`);
      const text = promptText(play.requests.at(-1)?.sent as never);
      const [recovered] = (await after.audit(id)).filter(({ eventType }) => eventType === "session_recovered");
      const told = run.events.flatMap(({ event }) => (event.type === "CUSTOM" ? [[event.name, event.value]] : []));
      await after.stop();

      expect(run.events.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", result: { end: "answered" } });
      expect(told).toContainEqual(["task_recovered", { task_id: runId, from, steps: 1 }]);
      expect(recovered).toMatchObject({ severity: "warning", payload: { from, incompleteTask: runId } });
      expect([text.includes("Blue."), text.includes("Read.")]).toEqual([from === "history", true]);
      removed(folder);
    }
  });

  /** A task that was killed as soon as a document of a kind was written; `until`: which of them. */
  const killedAfter = async (
    type: string,
    { answers, preset, until = 1 }: { answers: readonly ScriptedAnswer[]; preset: object; until?: number },
  ) => {
    const folder = folderWith({ "a.txt": "alpha\n" });
    const play = scripted.play(answers);
    const store = await world.open();
    const life = { isOver: false, isCounted: false, written: 0 };
    const alive = whileAlive(store, life);
    const dying: ObjectStore = {
      ...alive,
      async commit(writes, options) {
        const receipt = await alive.commit(writes, options);
        if (life.isCounted && writes.some(({ document }) => document.type === type)) life.written += 1;
        life.isOver ||= life.written === until;
        return receipt;
      },
    };
    const presets = { p: presetOf(play, { folders: ["."], ...preset }) };
    const on = { states: createMemoryStateStore(), name: "one" };
    const before = await governedServer(presets, folder, { server: { ...on, store: dying } });
    const restarted = () => governedServer(presets, folder, { testClock: before.clock, server: { ...on, store } });
    return { folder, play, life, before, restarted };
  };
  const endOf = ({ events }: { readonly events: readonly { readonly event: object }[] }) => events.at(-1)?.event;

  it("has the answer of a task that was killed before its end was recorded, without asking for it again", async () => {
    const answers = [
      { calls: [{ name: "read", args: { path: "a.txt" } }], usage },
      { text: "Alpha.", usage },
    ];
    const { folder, play, life, before, restarted } = await killedAfter("step", { answers, preset: {}, until: 2 });
    life.isCounted = true;
    const { runId: id } = await before.whole({ input: "Read." });

    const after = await restarted();
    const recovered = await after.whole({}, `/api/governance/sessions/${id}/tasks/${id}/recover`);
    const { messages } = await after.json<{ readonly messages: readonly { readonly content: string }[] }>(
      `/api/governance/sessions/${id}/history`,
    );
    const { items } = await after.json<{ readonly items: readonly object[] }>(`/api/governance/sessions/${id}/tasks`);
    const run = await after.runtime.lineage.run(recovered.runId);
    await after.stop();

    expect(play.requests).toHaveLength(2);
    expect(endOf(recovered)).toMatchObject({ type: "RUN_FINISHED", result: { status: "committed", end: "answered" } });
    expect(run).toMatchObject({ output: "Alpha.", state: { step: { session: id, n: 1 } } });
    expect(messages.slice(1).map(({ content }) => content)).toEqual(["Read.", "", "alpha\n", "Alpha."]);
    expect(items).toMatchObject([{ task_id: id, status: "completed" }]);
    removed(folder);
  });

  /** A server whose first run is killed as soon as the end of its task is written: it hears of nothing any more. */
  const killedBehindTask = async (answers: readonly ScriptedAnswer[], preset: object = {}) => {
    const folder = folderWith({ "a.txt": "alpha\n" });
    const play = scripted.play(answers);
    const store = await world.open();
    const life = { isOver: false };
    const alive = whileAlive(store, life);
    const { open, opened } = gate();
    const dying: ObjectStore = {
      ...alive,
      async commit(writes, options) {
        const receipt = await alive.commit(writes, options);
        life.isOver ||= writes.some(
          ({ document }) => "ended_at" in document && document.type === "task" && document.ended_at !== null,
        );
        if (!life.isOver) return receipt;
        open();
        return new Promise<never>(() => {});
      },
    };
    const presets = { p: presetOf(play, { folders: ["."], ...preset }) };
    const spool = join(folder, "spool");
    const on = { states: createMemoryStateStore(), name: "one" };
    const before = await governedServer(presets, folder, { spool, server: { ...on, store: dying } });
    const begun = await before.post("/api/conversations/run", { input: "Begin.", transport: "stream" });
    const { session_id: id } = (await begun.json()) as { readonly session_id: string };
    await opened;
    // As a process that is gone: what it left is written by the next one.
    for (const name of readdirSync(spool))
      renameSync(join(spool, name), join(spool, name.replace(/-\d+-/, "-999999999-")));
    const restarted = () =>
      governedServer(presets, folder, { spool, testClock: before.clock, server: { ...on, store } });
    return { folder, play, id, restarted };
  };

  it("ends a run as its task is told to have ended where its server was killed between the two, and the audit has it", async () => {
    const answers = [
      { calls: [{ name: "read", args: { path: "a.txt" } }], usage },
      { text: "Alpha.", usage },
      { text: "Beta." },
    ];
    const { folder, play, id, restarted } = await killedBehindTask(answers);

    const after = await restarted();
    const [run, story, session] = await Promise.all([
      after.runtime.lineage.run(id),
      after.audit(id),
      after.json<object>(`/api/governance/sessions/${id}`),
    ]);
    const next = await after.whole({ conversation_id: id, input: "And then?" });
    const { parent_session_id: parent } = await after.runtime.lineage.run(next.runId);
    const recovered = await after.post(`/api/governance/sessions/${id}/tasks/${id}/recover`);
    await after.stop();

    expect(run).toMatchObject({
      status: "committed",
      output: "Alpha.",
      failure: null,
      state: { step: { session: id, n: 1 } },
    });
    expect(story.slice(-2).map(({ eventType }) => eventType)).toEqual(["history_saved", "task_completed"]);
    expect(story.at(-1)).toMatchObject({ taskId: id, payload: { steps: 2, totalTokens: 220 } });
    expect(session).toMatchObject({ incomplete_tasks: [] });
    expect([parent, recovered.status]).toEqual([id, 404]);
    expect(promptText(play.requests[2]?.sent as never)).toContain("Alpha.");
    removed(folder);
  });

  it("waits on for the person whom a run had asked that was killed behind the end of its task", async () => {
    const ask = { name: "ask_person", description: "Asks a person." };
    const answers = [{ calls: [{ id: "ask", name: "ask_person", args: {} }] }, { text: "Thanks." }];
    const { folder, play, id, restarted } = await killedBehindTask(answers, { tools: [ask] });

    const after = await restarted();
    const run = await after.runtime.lineage.run(id);
    const answered = await after.whole({ conversation_id: id, tool_results: { ask: "The first." } });
    await after.stop();

    expect(run).toMatchObject({ status: "awaiting_tool_results", pending: [{ tool_call_id: "ask", kind: "call" }] });
    expect(endOf(answered)).toMatchObject({ result: { status: "committed" } });
    expect(promptText(play.requests[1]?.sent as never)).toContain("The first.");
    removed(folder);
  });

  it("waits on for the person that a task had asked when it was killed", async () => {
    const ask = { name: "ask_person", description: "Asks a person." };
    const answers = [{ calls: [{ id: "ask", name: "ask_person", args: {} }] }, { text: "Thanks." }];
    const { folder, play, life, before, restarted } = await killedAfter("step", { answers, preset: { tools: [ask] } });
    life.isCounted = true;
    const { runId: id } = await before.whole({ input: "Ask." });

    const after = await restarted();
    const recovered = await after.whole({}, `/api/governance/sessions/${id}/tasks/${id}/recover`);
    const answered = await after.whole({ conversation_id: id, tool_results: { ask: "The first." } });
    await after.stop();

    expect(endOf(recovered)).toMatchObject({ result: { status: "awaiting_tool_results", end: "awaiting" } });
    expect(endOf(answered)).toMatchObject({ result: { status: "committed" } });
    expect(promptText(play.requests[1]?.sent as never)).toContain("The first.");
    removed(folder);
  });

  it("has the approvals that a task was killed with before it took a step", async () => {
    const answers = [
      { calls: [{ id: "run", name: "bash", args: { command: "echo ran >> ran.txt" } }] },
      { text: "Ran." },
    ];
    const preset = { tools: ["bash"], approve: ["bash"] };
    const { folder, life, before, restarted } = await killedAfter("task", { answers, preset });
    const { runId: id } = await before.whole({ input: "Run." });
    life.isCounted = true;
    const task = { approval_mode: "never", allow_network: true };
    const approved = { conversation_id: id, user_interactions: { run: { approved: true } }, task };
    const { runId } = await before.whole(approved);

    const after = await restarted();
    const recovered = await after.whole({}, `/api/governance/sessions/${id}/tasks/${runId}/recover`);
    await after.stop();

    expect(endOf(recovered)).toMatchObject({ type: "RUN_FINISHED", result: { status: "committed", end: "answered" } });
    expect(readFileSync(join(folder, "ran.txt"), "utf8")).toBe("ran\n");
    removed(folder);
  });

  it("goes on where its server was taken for dead, and is told to no client as ended before", async () => {
    const folder = folderWith({});
    const { open, opened } = gate();
    const { open: ask, opened: isAsked } = gate();
    const play = scripted.play([
      async () => {
        ask();
        await opened;
        return { text: "Blue." };
      },
    ]);
    const store = await world.open();
    const presets = { p: presetOf(play) };
    const on = { store, states: createMemoryStateStore(), name: "one" };
    const before = await governedServer(presets, folder, { server: on });
    const events = await before.run({ input: "Which colour?" });
    const { runId: id } = namesOf((await events.next()).value);
    await isAsked;

    const after = await governedServer(presets, folder, { server: on, testClock: before.clock });
    open();
    const told = (await rest(events)).at(-1)?.event;
    const session = await after.json<{ readonly incomplete_tasks: readonly object[] }>(
      `/api/governance/sessions/${id}`,
    );
    const recovered = await after.whole({}, `/api/governance/sessions/${id}/tasks/${id}/recover`);
    const { items } = await after.json<{ readonly items: readonly object[] }>(`/api/governance/sessions/${id}/tasks`);
    await after.stop();

    expect(told).toMatchObject({ type: "RUN_ERROR", message: expect.stringContaining("recover its task") });
    expect(session.incomplete_tasks).toMatchObject([{ task_id: id, last_step: 1 }]);
    expect(endOf(recovered)).toMatchObject({ result: { status: "committed", end: "answered" } });
    expect(items).toMatchObject([{ task_id: id, status: "completed" }]);
    expect(play.requests).toHaveLength(1);
    removed(folder);
  });

  it("is cancelled at any server while it goes on, under whatever run", async () => {
    const { open: ask, opened: isAsked } = gate();
    const { folder, store, restarted, id, runId } = await interrupted([
      async () => {
        ask();
        return new Promise<never>(() => {});
      },
    ]);
    const after = await restarted();
    const other = await governedServer({ p: presetOf(scripted.play([])) }, folder, { server: { store, name: "two" } });
    const recovered = await after.post(`/api/governance/sessions/${id}/tasks/${runId}/recover`);
    const events = readEvents(recovered);
    await isAsked;

    const unknown = await other.post(`/api/governance/sessions/${id}/tasks/none/cancel`);
    const cancelled = await other.post(`/api/governance/sessions/${id}/tasks/${runId}/cancel`);
    expect([unknown.status, cancelled.status]).toEqual([404, 200]);
    await rest(events);
    const { items } = await other.json<{ readonly items: readonly object[] }>(`/api/governance/sessions/${id}/tasks`);
    await other.stop();
    await after.stop();

    expect(items[0]).toMatchObject({ task_id: runId, status: "cancelled" });
    removed(folder);
  });

  it("is refused while another run goes on in its conversation, and nothing is told or asked for", async () => {
    const { open, opened } = gate();
    const { open: ask, opened: isAsked } = gate();
    const { folder, restarted, id, runId } = await interrupted([
      async () => {
        ask();
        await opened;
        return { text: "Green." };
      },
    ]);

    const after = await restarted();
    const events = await after.run({ conversation_id: id, input: "And another?" });
    await isAsked;
    const before = after.asked.length;
    const refused = await after.post(`/api/governance/sessions/${id}/tasks/${runId}/recover`);
    open();
    await rest(events);
    const story = (await after.audit(id)).map(({ eventType }) => eventType);
    await after.stop();

    expect([refused.status, after.asked.length]).toEqual([409, before]);
    expect(story.filter((type) => /recovered|resumed/.test(type))).toEqual([]);
    removed(folder);
  });

  it("goes on with the first task of a fork behind its own last step, and knows nothing of what its source said since", async () => {
    const { folder, play, restarted, id, runId } = await interrupted([{ text: "Done." }], true);

    const after = await restarted();
    const checkpoint = await after.json<{ readonly cursor: object }>(`/api/governance/sessions/${id}/checkpoint`);
    const run = await after.whole({}, `/api/governance/sessions/${id}/tasks/${runId}/recover`);
    const text = promptText(play.requests.at(-1)?.sent as never);
    const told = run.events.flatMap(({ event }) => (event.type === "CUSTOM" ? [[event.name, event.value]] : []));
    await after.stop();

    expect(checkpoint.cursor).toEqual({ session: id, step: 0 });
    expect(told).toContainEqual(["task_recovered", { task_id: runId, from: "checkpoint", steps: 1 }]);
    expect(["Blue.", "Green.", "Read."].map((said) => text.split(said).length - 1)).toEqual([1, 0, 1]);
    expect(play.requests.flatMap(checkStructure)).toEqual([]);
    removed(folder);
  });

  it("goes on with a task behind what was committed since it was interrupted, with its prompt, and says so", async () => {
    const { folder, play, restarted, id, runId } = await interrupted([{ text: "Green." }, { text: "Done." }]);

    const after = await restarted();
    await after.whole({ conversation_id: id, input: "And another?" });
    const run = await after.whole({}, `/api/governance/sessions/${id}/tasks/${runId}/recover`);
    const text = promptText(play.requests.at(-1)?.sent as never);
    const told = run.events.flatMap(({ event }) => (event.type === "CUSTOM" ? [[event.name, event.value]] : []));
    await after.stop();

    expect(told).toContainEqual(["task_recovered", { task_id: runId, from: "history", steps: 1 }]);
    expect(["Blue.", "Green.", "Read."].filter((said) => !text.includes(said))).toEqual([]);
    expect(play.requests.flatMap(checkStructure)).toEqual([]);
    removed(folder);
  });
}
