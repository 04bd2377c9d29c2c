import { checkStructure, promptText, type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readEvents } from "../../../src/client.ts";
import type { GovernedWorld, MortalServer } from "../../support/governed.ts";
import { gate, presetOf } from "../../support/running-server.ts";
import { folderWith, removed } from "../../support/scripted.ts";

const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
const policy = { policyBundleVersion: "1", seconds: 3_600, capabilities: [{ name: "File.Read" }], llmPolicy: {} };

/** A task survives the kill of its server's process. */
export function killedLaws(world: GovernedWorld): void {
  let scripted: ScriptedModel;
  beforeAll(async () => {
    scripted = await startScriptedModel();
  });
  afterAll(() => scripted.close());

  it("knows the tokens of an answer whose calls a kill -9 interrupted", async () => {
    const capabilities = [{ name: "File.Read", requiresApproval: true }];
    const folder = folderWith({ "a.txt": "alpha\n", "policy.json": JSON.stringify({ ...policy, capabilities }) });
    const play = scripted.play([{ calls: [{ name: "read", args: { path: "a.txt" } }], usage }]);
    const presets = { presets: { p: presetOf(play, { folders: ["."] }) } };
    const start = world.mortal();
    const killed = await start(folder, presets);
    const begun = await killed.post("/api/conversations/run", { input: "Read.", transport: "stream" });
    const session = `/api/governance/sessions/${((await begun.json()) as { session_id: string }).session_id}`;
    const tokensOn = async (server: MortalServer) =>
      ((await (await server.get(session)).json()) as { readonly tokens_used: number }).tokens_used;

    await expect.poll(() => tokensOn(killed)).toBe(110);
    await killed.kill();
    const server = await start(folder, presets);

    expect(await tokensOn(server)).toBe(110);
    await server.kill();
    removed(folder);
  });

  it("goes on with a task after kill -9 in its fourth of ten steps: same task, behind the last step, without its prompt", async () => {
    const folder = folderWith({ "a.txt": "alpha\n", "policy.json": JSON.stringify(policy) });
    const { open: reached, opened: isReached } = gate();
    const never = new Promise<never>(() => {});
    const play = scripted.play(async ({ index }) => {
      if (index === 3) {
        reached();
        await never;
      }
      return index === 10
        ? { text: "Done.", usage }
        : { calls: [{ id: `call-${index}`, name: "read", args: { path: "a.txt" } }], usage };
    });
    const presets = { presets: { p: presetOf(play, { folders: ["."] }) } };
    const start = world.mortal();
    const killed = await start(folder, presets);

    const begun = await killed.post("/api/conversations/run", {
      ...{ input: "Read it ten times.", transport: "stream", task: { max_steps: 10 } },
    });
    const { session_id: id } = (await begun.json()) as { readonly session_id: string };
    await isReached;
    const session = `/api/governance/sessions/${id}`;
    const running = async () =>
      (await (await killed.get(`${session}/tasks`)).json()) as { items: readonly { steps: number }[] };
    await expect.poll(async () => (await running()).items[0]?.steps).toBe(3);
    await killed.kill();
    const server = await start(folder, presets);
    const found = await (await server.get(session)).json();
    const checkpoint = (await (await server.get(`${session}/checkpoint`)).json()) as {
      messages: readonly { role: string; content: string; step_id: string }[];
    };
    const recovered = await server.post(`${session}/tasks/${id}/recover`);
    const events = [];
    for await (const { event } of readEvents(recovered)) events.push(event);
    const again = await server.post(`${session}/tasks/${id}/recover`);
    const after = await (await server.get(session)).json();
    const clean = await (await server.get(`${session}/checkpoint`)).json();
    await server.post(`${session}/close`);
    const closed = await server.get(`${session}/checkpoint`);
    const tasks = (await (await server.get(`${session}/tasks`)).json()) as { items: readonly object[] };
    const history = (await (await server.get(`${session}/history`)).json()) as {
      messages: readonly { role: string; step_id: string }[];
    };
    const audit = (await (await server.get(`${session}/audit?limit=200`)).json()) as {
      items: readonly { eventType: string; taskId: string | null; stepId: string | null }[];
    };
    await server.kill();
    const saidOf = (type: string) =>
      audit.items
        .filter(({ eventType }) => eventType === type)
        .map(({ stepId }) => stepId)
        .reverse();
    const steps = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, place) => `step-${from + place}`);

    expect(found).toMatchObject({
      tokens_used: 330,
      incomplete_tasks: [{ task_id: id, prompt: "Read it ten times.", last_step: 3, max_steps: 10 }],
    });
    expect(checkpoint).toMatchObject({
      ...{ session_id: id, tokens_used: 330, policy_bundle_version: "1" },
      active_task: { task_id: id, prompt: "Read it ten times.", last_step: 3, max_steps: 10 },
      cursor: { session: id },
    });
    expect(checkpoint.messages.map(({ role, step_id }) => [role, step_id])).toEqual([
      ["user", "step-1"],
      ...[1, 2, 3].flatMap((step) => [
        ["assistant", `step-${step}`],
        ["tool", `step-${step}`],
      ]),
    ]);
    expect(clean).toMatchObject({ active_task: null, cursor: { session: id } });
    expect(closed.status).toBe(404);
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", result: { status: "committed", end: "answered" } });
    expect(play.requests).toHaveLength(11);
    expect(promptText(play.requests[10]?.sent as never).split("Read it ten times.")).toHaveLength(2);
    expect(play.requests.flatMap(checkStructure)).toEqual([]);
    expect(again.status).toBe(404);
    expect(after).toMatchObject({ tokens_used: 1_100, incomplete_tasks: [], status: "SESSION_RUNNING" });
    expect(tasks.items).toMatchObject([{ task_id: id, status: "completed", steps: 10 }]);
    expect(history.messages.filter(({ role }) => role === "user")).toHaveLength(1);
    expect(history.messages.filter(({ role }) => role === "assistant").map(({ step_id }) => step_id)).toEqual(
      Array.from({ length: 10 }, (_, place) => `step-${place + 1}`),
    );
    expect(audit.items.filter(({ eventType }) => eventType === "session_recovered")).toHaveLength(1);
    expect(audit.items.filter(({ eventType }) => eventType === "policy_bundle_issued")).toHaveLength(2);
    // The request that the kill broke off was told a moment before it.
    expect(saidOf("llm_request_started")).toEqual([...steps(1, 4), ...steps(4, 10)]);
    expect(saidOf("tool_completed")).toEqual(steps(1, 9));
    expect(saidOf("step_completed")).toEqual(steps(1, 10));
    expect(new Set(audit.items.flatMap(({ taskId }) => taskId ?? []))).toEqual(new Set([id]));
    removed(folder);
  });
}
