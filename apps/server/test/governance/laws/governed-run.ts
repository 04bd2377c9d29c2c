import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { LlmPolicy } from "@cm/governance";
import { CmError, type ObjectStore } from "@cm/object-model";
import { promptText, type ScriptedModel, type SentPrompt, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallChecks } from "../../../src/agent/call-checks.ts";
import { everything, type GovernedWorld, rest, serversIn, untilCustom } from "../../support/governed.ts";
import { whileAlive } from "../../support/mortal-server.ts";
import { namesOf, presetOf } from "../../support/running-server.ts";
import { folderWith, removed } from "../../support/scripted.ts";

const freely = { approval_mode: "never", allow_network: true };
const sent = (play: { readonly requests: readonly { readonly sent: SentPrompt }[] }, place: number) =>
  promptText(play.requests[place]?.sent as SentPrompt);

/** What a policy allows, and what becomes of what it does not. */
export function policyLaws(world: GovernedWorld): void {
  let scripted: ScriptedModel;
  beforeAll(async () => {
    scripted = await startScriptedModel();
  });
  afterAll(() => scripted.close());
  const governedServer = serversIn(world);

  describe("the policy of a session", () => {
    it("denies what it does not grant, what it blocks, and links that lead there", async () => {
      const folder = folderWith({ "a.txt": "alpha\n", "secret/key.txt": "hidden\n" });
      symlinkSync(join(folder, "secret/key.txt"), join(folder, "link.txt"));
      const play = scripted.play([
        {
          calls: [
            { id: "one", name: "read", args: { path: "a.txt" } },
            { id: "two", name: "read", args: { path: "link.txt" } },
            { id: "three", name: "grep", args: { pattern: "hidden" } },
            { id: "four", name: "write", args: { path: "b.txt", content: "beta" } },
            { id: "five", name: "nosuch", args: {} },
          ],
        },
        { text: "Done." },
      ]);
      const capabilities = [{ name: "File.Read", allowedPaths: [folder], blockedPaths: [join(folder, "secret")] }];
      const tools = ["read", "write", "grep"];
      const server = await governedServer({ p: presetOf(play, { folders: ["."], tools }) }, folder, { capabilities });

      const { events, conversationId } = await server.whole({ input: "Try." });
      const results = events.flatMap(({ event }) => (event.type === "TOOL_CALL_RESULT" ? [event.content] : []));
      const audit = await server.audit(conversationId);

      expect(results).toEqual([
        "alpha\n",
        expect.stringContaining("(path_blocked)"),
        expect.stringContaining("(path_blocked)"),
        expect.stringContaining("(not_granted)"),
        expect.stringContaining("not found"),
      ]);
      expect(existsSync(join(folder, "b.txt"))).toBe(false);
      const completed = audit.filter(({ eventType }) => eventType === "tool_completed");
      expect(completed.map(({ payload }) => [payload.callId, payload.status]).sort()).toEqual([
        ["five", "unknown_tool"],
        ["four", "denied"],
        ["one", "ok"],
        ["three", "denied"],
        ["two", "denied"],
      ]);
      await server.stop();
      removed(folder);
    });

    it("refuses a session whose bundle is another's, and says so in the audit", async () => {
      const folder = folderWith({});
      const play = scripted.play([{ text: "Never said." }]);
      const policy = { bundleFor: () => ({ schemaVersion: "9.9" }) };
      const server = await governedServer({ p: presetOf(play) }, folder, { policy });

      const { events, conversationId } = await server.whole({ input: "Hello." });
      const session = await server.json(`/api/governance/sessions/${conversationId}`);

      expect(events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", message: expect.stringContaining("schema") });
      expect(play.requests).toHaveLength(0);
      expect(session).toMatchObject({ status: "SESSION_FAILED", policy_bundle_version: null });
      expect((await server.audit(conversationId)).map(({ eventType }) => eventType)).toEqual([
        "session_created",
        "policy_bundle_refused",
        "session_failed",
      ]);
      await server.stop();
      removed(folder);
    });

    it("pauses a session when it runs out in the middle, and a resume brings another", async () => {
      const folder = folderWith({ "a.txt": "alpha\n" });
      let expire = () => {};
      const play = scripted.play([
        () => {
          expire();
          return { calls: [{ id: "late", name: "read", args: { path: "a.txt" } }] };
        },
        { calls: [{ id: "again", name: "read", args: { path: "a.txt" } }] },
        { text: "Done." },
      ]);
      const seen: object[] = [];
      const beforeModel: CallChecks["beforeModel"] = (_, { featureFlags }) => {
        seen.push({ ...featureFlags });
        return { do: "allow" };
      };
      const answers: unknown[] = [{ beta: true }, { beta: false, other: true }, "no flags"];
      const server = await governedServer({ p: presetOf(play, { folders: ["."] }) }, folder, {
        flags: () => answers.shift(),
        server: { checks: [{ beforeModel }] },
      });
      const begunAt = server.clock.now();
      expire = () => server.clock.pass(3_600_000);

      const events = await server.run({ input: "Read." });
      const { conversationId } = namesOf((await events.next()).value);
      const paused = await untilCustom(events, "session_paused");
      const during = await server.json(`/api/governance/sessions/${conversationId}`);
      const other = await server.post("/api/conversations/run", { conversation_id: conversationId, input: "Now." });
      const requestsBefore = play.requests.length;
      const resumed = await server.post(`/api/governance/sessions/${conversationId}/resume`);
      const left = await rest(events);

      expect(paused).toEqual({ session_id: conversationId, reason: "policy_expired" });
      expect(during).toMatchObject({
        ...{ status: "SESSION_PAUSED", policy_bundle_version: "v1", feature_flags: { beta: true } },
        expires_at: new Date(begunAt + 3_600_000).toISOString(),
        resumable_until: new Date(begunAt + 3_600_000 + 86_400_000).toISOString(),
      });
      expect([other.status, requestsBefore, resumed.status]).toEqual([409, 1, 200]);
      expect(sent(play, 1)).toContain("(policy_expired)");
      expect(left.at(-1)?.event).toMatchObject({
        type: "RUN_FINISHED",
        result: { status: "committed", end: "answered" },
      });
      expect(server.asked).toEqual([conversationId, conversationId]);
      expect(await server.json(`/api/governance/sessions/${conversationId}`)).toMatchObject({
        ...{ status: "SESSION_RUNNING", policy_bundle_version: "v2", feature_flags: { beta: false, other: true } },
      });
      // The second request was looked at before it waited for the resume.
      expect(seen).toEqual([{ beta: true }, { beta: true }, { beta: false, other: true }]);
      await server.post(`/api/governance/sessions/${conversationId}/resume`);
      expect(await server.json(`/api/governance/sessions/${conversationId}`)).toMatchObject({ feature_flags: {} });
      await server.stop();
      removed(folder);
    });

    it("asks no model that it does not name, sends no longer request than it allows, and asks for no longer answer", async () => {
      const folder = folderWith({ "a.txt": "alpha\n" });
      const play = scripted.play([{ text: "One." }, { text: "Two." }]);
      const presets = { p: presetOf(play, { folders: ["."], prompt: "Be brief. ".repeat(400) }) };
      const ended = async (llmPolicy: LlmPolicy) => {
        const server = await governedServer(presets, folder, { llmPolicy });
        const { conversationId, events } = await server.whole({ input: "Read." });
        const denied = (await server.audit(conversationId)).filter(({ eventType }) => eventType === "policy_denied");
        await server.stop();
        return [events.at(-1)?.event.type, denied.map(({ payload }) => payload.reason), play.requests.length];
      };

      expect(await ended({ allowedModels: ["another"] })).toEqual(["RUN_ERROR", ["model_not_allowed"], 0]);
      // The system prompt alone has 4,000 characters.
      expect(await ended({ maxInputTokens: 900 })).toEqual(["RUN_ERROR", ["input_too_long"], 0]);
      expect(await ended({ maxInputTokens: 100_000, maxOutputTokens: 77 })).toEqual(["RUN_FINISHED", [], 1]);
      expect(JSON.stringify(play.requests[0]?.body)).toMatch(/"max_(?:completion_)?tokens":77\b/);
      expect(await ended({ allowedModels: ["scripted"], maxOutputTokens: 1_000_000 })).toEqual(["RUN_FINISHED", [], 2]);
      removed(folder);
    });

    it("books about what a call takes where the provider counts nothing", async () => {
      const folder = folderWith({ "a.txt": "alpha\n" });
      const play = scripted.play(() => ({
        ...{ calls: [{ name: "read", args: { path: "a.txt" } }], text: "x".repeat(2_000) },
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      }));
      const llmPolicy = { maxSessionTokens: 2_000 };
      const server = await governedServer({ p: presetOf(play, { folders: ["."] }) }, folder, { llmPolicy });

      const { events } = await server.whole({ input: "Read for ever." });

      expect(events.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", result: { end: "budget" } });
      expect(play.requests.length).toBeLessThan(5);
      await server.stop();
      removed(folder);
    });

    it("stops a run whose session has used its tokens, and keeps what was done", async () => {
      const folder = folderWith({ "a.txt": "alpha\n" });
      const play = scripted.play(() => ({
        ...{ calls: [{ name: "read", args: { path: "a.txt" } }] },
        usage: { input: 400, output: 100, cacheRead: 0, cacheWrite: 0 },
      }));
      const llmPolicy = { maxSessionTokens: 1_000 };
      const server = await governedServer({ p: presetOf(play, { folders: ["."] }) }, folder, { llmPolicy });

      const { events, runId, conversationId } = await server.whole({ input: "Read for ever." });
      const tasks = await server.json<{ items: readonly object[] }>(`/api/governance/sessions/${conversationId}/tasks`);
      const audit = await server.audit(conversationId);

      expect(events.at(-1)?.event).toMatchObject({
        ...{ type: "RUN_FINISHED", result: { end: "budget", reason: expect.stringContaining("budget_exhausted") } },
      });
      expect(play.requests).toHaveLength(2);
      expect(tasks.items).toMatchObject([{ task_id: runId, status: "failed", reason: "budget_exhausted", steps: 2 }]);
      expect(audit.find(({ eventType }) => eventType === "budget_exhausted")?.payload).toEqual({
        used: 1_000,
        limit: 1_000,
      });
      await server.stop();
      removed(folder);
    });
  });

  describe("a task", () => {
    it("ends when its steps are used up, warned once, and the next one goes on with what it did", async () => {
      const folder = folderWith({ "a.txt": "alpha\n" });
      const play = scripted.play(({ index }) =>
        index === 5 ? { text: "Over." } : { calls: [{ name: "read", args: { path: "a.txt" } }] },
      );
      const server = await governedServer({ p: presetOf(play, { folders: ["."] }) }, folder);

      const { events, conversationId } = await server.whole({ input: "Read.", task: { max_steps: 5 } });
      server.clock.pass(1);
      const next = await server.whole({ conversation_id: conversationId, input: "Go on." });
      const tasks = await server.json<{ items: readonly object[] }>(`/api/governance/sessions/${conversationId}/tasks`);

      const warnings = events.filter(({ event }) => event.type === "CUSTOM" && event.name === "steps_warning");
      expect(warnings.map(({ event }) => event)).toMatchObject([{ value: { taken: 4, max_steps: 5, left: 1 } }]);
      expect(play.requests).toHaveLength(6);
      expect(next.events.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", result: { end: "answered" } });
      expect(tasks.items).toMatchObject([
        { status: "completed", reason: null },
        { status: "failed", reason: "max_steps_exceeded", steps: 5, max_steps: 5 },
      ]);
      await server.stop();
      removed(folder);
    });

    it("is cancelled after the tool that runs, which is let finish, and its session goes on", async () => {
      const folder = folderWith({});
      const play = scripted.play([
        {
          calls: [
            {
              name: "bash",
              args: {
                command: "touch began; until [ -e go ]; do read -t 0.02 <> <(:) || true; done; echo done > b.txt",
              },
            },
          ],
        },
        { text: "Again." },
      ]);
      const server = await governedServer({ p: presetOf(play, { folders: ["."] }) }, folder);

      const events = await server.run({ input: "Work.", task: freely });
      const { runId, conversationId } = namesOf((await events.next()).value);
      await expect.poll(() => existsSync(join(folder, "began"))).toBe(true);
      const cancelled = await server.post(`/api/governance/sessions/${conversationId}/tasks/${runId}/cancel`);
      writeFileSync(join(folder, "go"), "");
      const left = await rest(events);
      const requests = play.requests.length;
      server.clock.pass(1);
      const next = await server.whole({ conversation_id: conversationId, input: "More." });
      const tasks = await server.json<{ items: readonly object[] }>(`/api/governance/sessions/${conversationId}/tasks`);

      expect(cancelled.status).toBe(200);
      expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("done\n");
      expect(requests).toBe(1);
      expect(left.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", result: { end: "interrupted" } });
      expect(next.events.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", result: { end: "answered" } });
      expect(tasks.items).toMatchObject([{ status: "completed" }, { status: "cancelled", reason: "cancelled" }]);
      await server.stop();
      removed(folder);
    });

    it("goes on where an answer was cut off by its length, and ends at one that was not", async () => {
      const folder = folderWith({});
      const play = scripted.play([{ text: "Half of", stop: "length" }, { text: "the answer." }]);
      const server = await governedServer({ p: presetOf(play) }, folder);

      const { events, conversationId } = await server.whole({ input: "Say." });
      const history = await server.json<{ messages: readonly { content: string }[] }>(
        `/api/governance/sessions/${conversationId}/history`,
      );

      expect(events.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", result: { end: "answered" } });
      expect(history.messages.map(({ content }) => content).slice(1)).toEqual(["Say.", "Half of", "the answer."]);
      await server.stop();
      removed(folder);
    });

    it("has the failure of a tool, its timeout and a tool that there is none of in its thread, and goes on", async () => {
      const folder = folderWith({});
      const play = scripted.play([
        {
          calls: [
            { id: "fails", name: "bash", args: { command: "echo broken; exit 3" } },
            { id: "hangs", name: "bash", args: { command: "read -r never < <(tail -f /dev/null)", timeout: 1 } },
            { id: "none", name: "nosuch", args: {} },
          ],
        },
        { text: "Seen." },
      ]);
      const server = await governedServer({ p: presetOf(play, { folders: ["."] }) }, folder);

      const { events, conversationId } = await server.whole({ input: "Try.", task: freely });
      const history = await server.json<{ messages: readonly { role: string; content: string }[] }>(
        `/api/governance/sessions/${conversationId}/history`,
      );
      const completed = (await server.audit(conversationId)).filter(({ eventType }) => eventType === "tool_completed");

      expect(events.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", result: { end: "answered" } });
      expect(history.messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []))).toEqual([
        expect.stringContaining("broken"),
        expect.stringContaining("timed out"),
        expect.stringContaining("not found"),
      ]);
      expect(Object.fromEntries(completed.map(({ payload }) => [payload.callId, payload.status]))).toEqual({
        ...{ fails: "failed", hangs: "timed_out", none: "unknown_tool" },
      });
      await server.stop();
      removed(folder);
    });

    it("has calls in its audit that others run or decide: as asked for where they wait, and as over where they are", async () => {
      const folder = folderWith({});
      const ask = { name: "ask_person", description: "Asks a person." };
      const command = { name: "bash", args: { command: "echo ran" } };
      const play = scripted.play([
        {
          calls: [
            { id: "asked", name: "ask_person", args: { question: "Which?" } },
            { id: "unasked", name: "ask_person", args: {} },
            { id: "runs", ...command },
            { id: "denied", ...command },
          ],
        },
        { text: "Seen." },
      ]);
      const preset = presetOf(play, { folders: ["."], tools: ["bash", ask], approve: ["bash"] });
      const server = await governedServer({ p: preset }, folder);
      const story = async (id: string, from = 0) =>
        (await server.audit(id))
          .filter(({ eventType }) => eventType.startsWith("tool_"))
          .slice(from)
          .map(({ eventType, payload }) => [
            payload.callId,
            eventType,
            payload.status,
            payload.arguments,
            payload.error,
          ]);

      const { conversationId: conversation_id } = await server.whole({ input: "Ask.", task: freely });
      const waiting = await story(conversation_id);
      const brought = { tool_results: { asked: "The first." }, user_interactions: { runs: { approved: true } } };
      await server.whole({ conversation_id, ...brought, task: freely });
      const over = await story(conversation_id, waiting.length);

      expect(waiting).toEqual([
        ["asked", "tool_requested", undefined, '{"question":"Which?"}', undefined],
        ["unasked", "tool_requested", undefined, "{}", undefined],
        ["runs", "tool_requested", undefined, '{"command":"echo ran"}', undefined],
        ["denied", "tool_requested", undefined, '{"command":"echo ran"}', undefined],
      ]);
      expect(over.filter(([, type]) => type === "tool_completed").sort()).toEqual([
        ["asked", "tool_completed", "ok", undefined, undefined],
        ["denied", "tool_completed", "denied", undefined, "The call was denied: The call was not approved."],
        ["runs", "tool_completed", "ok", undefined, undefined],
        ["unasked", "tool_completed", "failed", undefined, "No result of the call was brought."],
      ]);
      await server.stop();
      removed(folder);
    });

    it("is recorded whatever a model says: half of a pair of surrogates, or parts of tokens", async () => {
      const folder = folderWith({});
      const text = "half \ud83d";
      const play = scripted.play([
        { calls: [{ name: "write", args: { path: `${text}.txt`, content: text } }] },
        { text, usage: { input: 7.5, output: -3, cacheRead: 0, cacheWrite: 0 } },
      ]);
      const logged: object[] = [];
      const log = (fields: { readonly level?: unknown }) => fields.level !== "info" && logged.push(fields);
      const server = await governedServer({ p: presetOf(play, { folders: ["."] }) }, folder, { server: { log } });

      const { runId, conversationId } = await server.whole({ input: "Say.", task: freely });
      await server.governance.artifactsKept();
      const session = `/api/governance/sessions/${conversationId}`;
      const history = await server.json<{ messages: readonly { content: string }[] }>(`${session}/history`);
      const story = await server.audit(conversationId);

      expect(story.map(({ eventType }) => eventType)).toContain("task_completed");
      expect(await server.runtime.lineage.run(runId)).toMatchObject({ status: "committed", output: "half \ufffd" });
      expect(history.messages.at(-1)).toMatchObject({ content: "half \ufffd", token_count: 0 });
      expect(logged).toEqual([]);
      await server.stop();
      removed(folder);
    });

    it("ends in the records also where the store did not answer for a moment", async () => {
      const folder = folderWith({});
      const play = scripted.play([{ text: "Done.", usage: { input: 300, output: 100, cacheRead: 0, cacheWrite: 0 } }]);
      const store = await world.open();
      let silent = 0;
      const answered = () => {
        silent -= 1;
        if (silent >= 0) throw new CmError("store/unavailable", "The store does not answer.");
      };
      const isPaused = (session: object) => "status" in session && session.status === "paused";
      const shaky: ObjectStore = {
        ...whileAlive(store, { isOver: false }),
        async getMany(...given) {
          answered();
          return store.getMany(...given);
        },
        async commit(writes, options) {
          answered();
          const receipt = await store.commit(writes, options);
          // As its session is closed, behind its only step.
          const isClosed = writes.some(({ document: { type, ...rest } }) => type === "session" && isPaused(rest));
          if (isClosed) silent = 4;
          return receipt;
        },
      };
      const server = await governedServer({ p: presetOf(play) }, folder, { server: { store: shaky } });

      const { conversationId } = await server.whole({ input: "Say." });
      const session = `/api/governance/sessions/${conversationId}`;
      const { items } = await server.json<{ items: readonly object[] }>(`${session}/tasks`);
      const found = await server.json(session);
      await server.stop();

      expect(silent).toBeLessThan(0);
      expect(items).toMatchObject([{ status: "completed" }]);
      expect(found).toMatchObject({ tokens_used: 400, incomplete_tasks: [] });
      removed(folder);
    });

    it("throws away an answer that is broken off by its cancelling", async () => {
      const folder = folderWith({});
      const play = scripted.play([{ text: "Half an answer", end: "stall" }]);
      const server = await governedServer({ p: presetOf(play) }, folder);

      const events = await server.run({ input: "Say." });
      const { runId, conversationId } = namesOf((await events.next()).value);
      for (let said = ""; said !== "TEXT_MESSAGE_CONTENT"; ) said = (await events.next()).value.event.type;
      await server.post(`/api/governance/sessions/${conversationId}/tasks/${runId}/cancel`);
      await rest(events);
      const history = await server.json<{ messages: readonly { role: string }[] }>(
        `/api/governance/sessions/${conversationId}/history`,
      );

      expect(history.messages.map(({ role }) => role)).toEqual(["system", "user"]);
      await server.stop();
      removed(folder);
    });

    it("without network cuts commands off, and refuses them where that cannot be", async () => {
      const folder = folderWith({});
      const site = createServer((_, answer) => answer.end("reached"));
      await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
      const { port } = site.address() as AddressInfo;
      const command = `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo reached || echo 'cut '"off"`;
      const script = () => scripted.play([{ calls: [{ name: "bash", args: { command } }] }, { text: "Done." }]);
      const plays = [script(), script(), script(), script()];
      const presets = Object.fromEntries(plays.map((play, place) => [`p${place}`, presetOf(play, { folders: ["."] })]));
      const server = await governedServer(presets, folder);
      const without = everything.filter(({ name }) => name !== "Network.Http");
      const strict = await governedServer(presets, folder, { capabilities: without });
      const unable = await governedServer(presets, folder, { networkCut: async () => undefined });

      await server.whole({ input: "Go.", preset_id: "p0", task: freely });
      await server.whole({ input: "Go.", preset_id: "p1", task: { ...freely, allow_network: false } });
      await strict.whole({ input: "Go.", preset_id: "p2", task: freely });
      await unable.whole({ input: "Go.", preset_id: "p3", task: { ...freely, allow_network: false } });

      const results = plays.map((play) => sent(play, 1));
      expect(results[0]).toMatch(/^reached$/m);
      expect(results[1]).toMatch(/^cut off$/m);
      expect(results[2]).toMatch(/^cut off$/m);
      expect(results[3]).toContain("this machine has nothing to cut a command off");
      for (const each of [server, strict, unable]) await each.stop();
      site.close();
      removed(folder);
    });
  });
}
