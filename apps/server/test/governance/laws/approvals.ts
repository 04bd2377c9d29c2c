import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promptText, type ScriptedModel, type SentPrompt, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf, type GovernedWorld, rest, serversIn, untilCustom } from "../../support/governed.ts";
import { namesOf, presetOf } from "../../support/running-server.ts";
import { folderWith, removed } from "../../support/scripted.ts";

interface Asked {
  readonly approval_id: string;
  readonly tool_call_id: string;
}

const threeCalls = [
  { id: "call-1", name: "read", args: { path: "a.txt" } },
  { id: "call-2", name: "bash", args: { command: "echo ran >> b.txt; printf 'sec%s' ond" } },
  { id: "call-3", name: "write", args: { path: "c.txt", content: "third\n" } },
];

/** What needs a person waits for one. */
export function approvalLaws(world: GovernedWorld): void {
  let scripted: ScriptedModel;
  beforeAll(async () => {
    scripted = await startScriptedModel();
  });
  afterAll(() => scripted.close());
  const governedServer = serversIn(world);

  describe("a call that needs an approval", () => {
    it("waits for a person while the others go on, and results are recorded in the order asked", async () => {
      const folder = folderWith({ "a.txt": "alpha\n" });
      const play = scripted.play([{ calls: threeCalls }, { text: "Done." }]);
      const server = await governedServer({ p: presetOf(play, { folders: ["."] }) }, folder);

      const events = await server.run({ input: "Do all three." });
      const first = await events.next();
      const { runId, conversationId } = namesOf(first.value);
      const asked = await untilCustom<Asked>(events, "approval_requested");
      await expect.poll(() => existsSync(join(folder, "c.txt"))).toBe(true);
      const waiting = await server.json<{ items: readonly object[] }>("/api/governance/approvals");
      const isRunBefore = existsSync(join(folder, "b.txt"));
      const answer = await answerOf(server, asked.approval_id, {
        decision: "approved",
        client_at: "2026-11-24T09:59:00Z",
      });
      const left = await rest(events);
      const again = await answerOf(server, asked.approval_id, { decision: "denied" });

      expect(waiting.items).toMatchObject([
        {
          approval_id: asked.approval_id,
          ...{ session_id: conversationId, task_id: runId, step_id: "step-1" },
          ...{ tool_call_id: "call-2", tool: "bash", capability: "Shell.Exec", risk: "high" },
        },
      ]);
      expect(isRunBefore).toBe(false);
      expect(answer.status).toBe(200);
      expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("ran\n");
      const results = left.flatMap(({ event }) => (event.type === "TOOL_CALL_RESULT" ? [event.toolCallId] : []));
      expect(results).toEqual(["call-1", "call-2", "call-3"]);
      const sent = play.requests[1]?.sent as SentPrompt;
      const text = promptText(sent);
      expect([text.indexOf("alpha"), text.indexOf("second"), text.indexOf("Successfully wrote")]).toSatisfy(
        ([one = -1, two = -1, three = -1]: readonly number[]) => 0 < one && one < two && two < three,
      );
      expect(left.at(-1)?.event).toMatchObject({
        type: "RUN_FINISHED",
        result: { status: "committed", end: "answered" },
      });
      expect(again.status).toBe(404);
      await server.governance.approvals.saved();
      const [record] = await server.governance.workspaces.audit.approvalsOf(conversationId);
      expect(record).toMatchObject({
        ...{ session_id: conversationId, task_id: runId, step_id: "step-1", decision: "approved", by: "answer" },
        decided_by: "local",
        ...{
          requested_at: server.clock.now(),
          decided_at: server.clock.now(),
          client_at: Date.parse("2026-11-24T09:59:00Z"),
        },
      });
      await server.stop();
      removed(folder);
    });

    it("does not run when a person denies it, and the model is told; an approval that was answered is not found", async () => {
      const folder = folderWith({});
      const play = scripted.play([{ calls: threeCalls.slice(1, 2) }, { text: "Then not." }]);
      const server = await governedServer({ p: presetOf(play, { folders: ["."] }) }, folder);

      const events = await server.run({ input: "Run it." });
      const asked = await untilCustom<Asked>(events, "approval_requested");
      await answerOf(server, asked.approval_id, { decision: "denied" });
      await rest(events);

      expect(existsSync(join(folder, "b.txt"))).toBe(false);
      expect(promptText(play.requests[1]?.sent as SentPrompt)).toContain("the person who was asked denied it");
      await server.stop();
      removed(folder);
    });

    it("is denied after five minutes of silence by the clock, and an answer after that is not found", async () => {
      const folder = folderWith({});
      const play = scripted.play([{ calls: threeCalls.slice(1, 2) }, { text: "Then not." }]);
      const server = await governedServer({ p: presetOf(play, { folders: ["."] }) }, folder);

      const events = await server.run({ input: "Run it." });
      const { conversationId } = namesOf((await events.next()).value);
      const asked = await untilCustom<Asked>(events, "approval_requested");
      const state = await server.json<{ status: string }>(`/api/governance/sessions/${conversationId}`);
      server.clock.pass(299_999);
      const before = await server.json<{ items: readonly object[] }>("/api/governance/approvals");
      server.clock.pass(1);
      const late = await answerOf(server, asked.approval_id, { decision: "approved" });
      await rest(events);
      await server.governance.approvals.saved();
      const [record] = await server.governance.workspaces.audit.approvalsOf(conversationId);

      expect(state.status).toBe("WAITING_FOR_APPROVAL");
      expect(before.items).toHaveLength(1);
      expect(late.status).toBe(404);
      expect(existsSync(join(folder, "b.txt"))).toBe(false);
      expect(promptText(play.requests[1]?.sent as SentPrompt)).toContain("within five minutes");
      expect(record).toMatchObject({ decision: "denied", by: "silence", client_at: null });
      await server.stop();
      removed(folder);
    });

    it("is approved also while its server stops, which refuses new runs and logs no error of that", async () => {
      const folder = folderWith({});
      const play = scripted.play([{ calls: threeCalls.slice(1, 2) }, { text: "Done." }]);
      const errors: unknown[] = [];
      const log = (fields: Readonly<Record<string, unknown>>) => fields.level === "error" && errors.push(fields);
      const server = await governedServer({ p: presetOf(play, { folders: ["."] }) }, folder, { server: { log } });

      const events = await server.run({ input: "Run it." });
      const asked = await untilCustom<Asked>(events, "approval_requested");
      const stopped = server.stop();
      const refused = await server.post("/api/conversations/run", { input: "Another." });
      const answered = await answerOf(server, asked.approval_id, { decision: "approved" });
      const [end] = (await rest(events)).slice(-1);
      await stopped;

      expect([refused.status, answered.status]).toEqual([503, 200]);
      expect(await refused.json()).toMatchObject({ error: "shutting_down" });
      expect(end?.event).toMatchObject({ type: "RUN_FINISHED", result: { status: "committed" } });
      expect(errors).toEqual([]);
      removed(folder);
    });

    it("is denied when its run is interrupted, and no person is asked any more", async () => {
      const folder = folderWith({});
      const play = scripted.play([{ calls: threeCalls.slice(1, 2) }, { text: "Never said." }]);
      const server = await governedServer({ p: presetOf(play, { folders: ["."] }) }, folder);

      const events = await server.run({ input: "Run it." });
      const { conversationId } = namesOf((await events.next()).value);
      await untilCustom<Asked>(events, "approval_requested");
      await server.post(`/api/conversations/${conversationId}/interrupt`);
      await rest(events);

      expect(await server.json("/api/governance/approvals")).toMatchObject({ items: [] });
      expect(play.requests).toHaveLength(1);
      expect(existsSync(join(folder, "b.txt"))).toBe(false);
      await server.stop();
      removed(folder);
    });
  });
}
