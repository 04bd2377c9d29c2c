import { expect, it } from "vitest";
import { type RunEnd, type RunStatus, readLineage, type StateStore } from "../../src/index.ts";
import { conversationOf } from "./lineage-laws.ts";
import { onLineage, type Use } from "./stores.ts";
import { committed, refused } from "./world.ts";

const usage = (n: number) => ({ total_tokens: 11 * n, prompt_tokens: 10 * n, completion_tokens: n, model_requests: 1 });

export function statusLaws(use: Use): void {
  const on = onLineage(use);

  // Verifies: seed conversation-and-session, Session Lifecycle, every arrow and no other; reference lineage, Status
  it(
    "only the moves of the seed's diagram are there",
    on(async (lineage) => {
      const runIn = async (status: RunStatus) => {
        const { session_id } = await lineage.root({ input: status });
        if (status === "failed") await lineage.fail(session_id, "as asked");
        else if (status === "awaiting_tool_results") await lineage.commit(session_id, committed({ status }));
        else if (status !== "created") await lineage.commit(session_id, committed());
        if (status === "archived") await lineage.archive(session_id);
        expect((await lineage.run(session_id)).status).toBe(status);
        return session_id;
      };
      const moves: Record<string, (id: string) => Promise<unknown>> = {
        committed: (id) => lineage.commit(id, committed()),
        awaiting_tool_results: (id) => lineage.commit(id, committed({ status: "awaiting_tool_results" })),
        failed: (id) => lineage.fail(id, "moved"),
        archived: (id) => lineage.archive(id),
      };
      const allowed = new Set([
        "created committed",
        "created awaiting_tool_results",
        "created failed",
        "committed archived",
      ]);
      const statuses: readonly RunStatus[] = ["created", "committed", "awaiting_tool_results", "failed", "archived"];
      for (const from of statuses) {
        for (const [to, move] of Object.entries(moves)) {
          const id = await runIn(from);
          if (allowed.has(`${from} ${to}`)) await move(id);
          else await refused(move(id), "lineage/bad-move");
          expect((await lineage.run(id)).status).toBe(allowed.has(`${from} ${to}`) ? to : from);
        }
      }
    }),
  );

  // Verifies: reference lineage "Commit accepts only the two commit statuses"
  it(
    "a commit ends in one of the two commit statuses",
    on(async (lineage) => {
      const { session_id } = await lineage.root({ input: "x" });

      for (const status of ["created", "failed", "archived", "done"]) {
        await refused(lineage.commit(session_id, committed({ status: status as RunEnd["status"] })), "lineage/invalid");
      }
      const pending = [{ tool_call_id: "call_1", kind: "approval" as const }];
      await refused(lineage.commit(session_id, committed({ pending })), "lineage/invalid");

      expect((await lineage.run(session_id)).status).toBe("created");
    }),
  );

  // Verifies: seed conversation-and-session, Run Summary and UsageSummary
  it(
    "a commit keeps duration and usage, by model and together, and a failure none",
    on(async (lineage, world) => {
      const run = await lineage.root({ input: "x" });
      world.nowMs += 1_234;

      await lineage.commit(run.session_id, committed({ usage: { small: usage(1), large: usage(3) } }));
      const said = await lineage.root({ input: "x" });
      await lineage.commit(said.session_id, committed({ durationMs: 5 }));
      const failed = await lineage.root({ input: "x" });
      await lineage.fail(failed.session_id, "no");

      expect((await lineage.run(run.session_id)).run_summary).toEqual({
        duration_ms: 1_234,
        usage: { total_tokens: 44, prompt_tokens: 40, completion_tokens: 4, model_requests: 2 },
        usage_by_model: { small: usage(1), large: usage(3) },
      });
      expect((await lineage.run(said.session_id)).run_summary).toMatchObject({
        duration_ms: 5,
        usage: { model_requests: 0 },
      });
      expect((await lineage.run(failed.session_id)).run_summary).toBeNull();
    }),
  );

  // Verifies: seed conversation-and-session, fields context_state, message_history, environment_state; Dual Message Model
  it(
    "the state of a snapshot comes back as it was, a step as its address with its basis",
    on(async (lineage) => {
      const state = {
        context_state: { a: [1, null] },
        message_history: [{ text: "é\u{1f600}" }],
        environment_state: "open",
      };
      const step = { step: { session: "0197c0de", n: 12 }, basis: "tx-77" };
      const first = await lineage.root({ input: "x" });
      await lineage.commit(first.session_id, committed({ state }));
      const second = await lineage.continue({ conversationId: first.session_id, input: "x" });
      await refused(lineage.state(second.session_id), "lineage/not-found");
      await lineage.commit(second.session_id, committed({ state: step }));

      expect(await lineage.state(first.session_id)).toEqual(state);
      expect(await lineage.state(second.session_id)).toEqual(step);
      await refused(lineage.state("nothing"), "lineage/not-found");
    }),
  );

  // Verifies: seed "failed: Execution failed, no state written"; reference lineage "No state is stored for failed"
  it(
    "a failed run has a reason and no state",
    on(async (lineage, world) => {
      const { session_id } = await lineage.root({ input: "x" });
      await world.states.writeState(session_id, { context_state: "half" });

      const failed = await lineage.fail(session_id, `because ${"of this ".repeat(1_000)}`);

      expect(failed).toMatchObject({ status: "failed", output: null, state: null });
      expect(failed.failure).toMatch(/^because of this/);
      expect(failed.failure?.length).toBeLessThanOrEqual(1_024);
      expect(await world.states.readState(session_id)).toBeUndefined();
      await refused(lineage.state(session_id), "lineage/not-found");
    }),
  );

  // Verifies: reference lineage "failed (… or state could not be written)", "Losing only the display messages does not fail a commit", "missing display gives nothing, missing state an error"
  it("a state that cannot be written fails the run, display messages do not", () =>
    use(async (world) => {
      const faults = { state: false, display: false };
      const states: StateStore = {
        ...world.states,
        writeState: (id, state) =>
          faults.state ? Promise.reject(new Error("disk full")) : world.states.writeState(id, state),
        writeDisplay: (id, events) =>
          faults.display ? Promise.reject(new Error("disk full")) : world.states.writeDisplay(id, events),
      };
      const lineage = await world.open({ states });
      const display = [{ type: "CUSTOM", name: "note", value: 1 } as never];
      const kept = await lineage.root({ input: "x" });
      expect(await lineage.commit(kept.session_id, committed({ display }))).not.toHaveProperty("displayLost");
      faults.display = true;
      const lost = await lineage.root({ input: "x" });
      const { run, displayLost } = await lineage.commit(lost.session_id, committed({ display }));
      faults.state = true;
      const failed = await lineage.root({ input: "x" });
      await refused(lineage.commit(failed.session_id, committed({ display })), "lineage/state-unwritten");

      expect(await lineage.display(kept.session_id)).toEqual(display);
      expect([run.status, displayLost?.message]).toEqual(["committed", "disk full"]);
      expect(await lineage.display(lost.session_id)).toEqual([]);
      expect((await lineage.run(failed.session_id)).status).toBe("failed");
      expect((await lineage.conversation(failed.session_id)).running).toBeNull();
      await world.states.deleteRun(kept.session_id);
      await refused(lineage.state(kept.session_id), "lineage/state-missing");
      expect(await lineage.display(kept.session_id)).toEqual([]);
    }));

  // Verifies: reference lineage, Awaiting
  it(
    "calls that wait are answered by the next run: what is not covered is denied or failed, what is covered stands",
    on(async (lineage) => {
      const root = await lineage.root({ input: "x" });
      const pending = ["approval", "approval", "approval", "call", "call", "call"].map((kind, n) => ({
        tool_call_id: `call_${n}`,
        kind: kind as "approval" | "call",
      }));
      await lineage.commit(root.session_id, committed({ status: "awaiting_tool_results", pending }));

      const next = await lineage.continue({
        conversationId: root.session_id,
        input: "go on",
        answers: {
          approvals: {
            call_0: { approved: true },
            call_1: { approved: false, reason: "too dear" },
            other: { approved: true },
          },
          results: { call_3: { rows: 2 }, call_5: "no such table" },
          failed: ["call_5"],
        },
      });
      await lineage.commit(next.session_id, committed());
      const after = await lineage.continue({ conversationId: root.session_id, input: "nothing waits" });

      expect(next.resolved).toMatchObject([
        { tool_call_id: "call_0", kind: "approval", approved: true, automatic: false },
        { tool_call_id: "call_1", kind: "approval", approved: false, reason: "too dear", automatic: false },
        { tool_call_id: "call_2", kind: "approval", approved: false, automatic: true },
        { tool_call_id: "call_3", kind: "call", failed: false, result: { rows: 2 }, automatic: false },
        { tool_call_id: "call_4", kind: "call", failed: true, automatic: true },
        { tool_call_id: "call_5", kind: "call", failed: true, result: "no such table", automatic: false },
      ]);
      expect(after.resolved).toEqual([]);
      await lineage.commit(after.session_id, committed());
      const silent = { conversationId: root.session_id, input: " ", answers: { results: { call_3: 1 } } };
      await refused(lineage.continue(silent), "lineage/invalid");
    }),
  );

  // Verifies: reference lineage "Interrupt: … with exported state it commits what there is, otherwise failed"
  it(
    "an interrupted run is committed with what it could export, otherwise it has failed",
    on(async (lineage) => {
      const one = await lineage.root({ input: "x" });
      const two = await lineage.root({ input: "x" });

      const kept = await lineage.endInterrupted(one.session_id, committed({ output: "half of it" }));
      const lost = await lineage.endInterrupted(two.session_id);

      expect(kept).toMatchObject({ status: "committed", output: "half of it" });
      expect(lost).toMatchObject({ status: "failed", failure: "The run was interrupted." });
    }),
  );

  // Verifies: seed conversation-and-session, Conversation Index; reference lineage, Conversation
  it(
    "a conversation's title, preset, metadata and status change; its id and time of creation do not",
    on(async (lineage, world) => {
      const conversationId = await conversationOf(lineage, "the title");
      const created = world.nowMs;
      world.nowMs += 10;

      await lineage.updateConversation(conversationId, { metadata: { customer: "acme", tags: ["a"], deep: { x: 1 } } });
      const patched = await lineage.updateConversation(conversationId, {
        title: null,
        defaultPresetId: "clerk",
        metadata: { tags: null, deep: { y: 2 }, more: false },
      });
      const archived = await lineage.updateConversation(conversationId, { status: "archived" });

      expect(patched).toEqual({
        conversation_id: conversationId,
        title: null,
        default_preset_id: "clerk",
        metadata: { customer: "acme", deep: { y: 2 }, more: false },
        status: "active",
        created_at: created,
        updated_at: created + 10,
        running: null,
      });
      expect(archived.status).toBe("archived");
      await refused(lineage.continue({ conversationId, input: "x" }), "lineage/invalid");
      await lineage.updateConversation(conversationId, { status: "active", title: "Again" });
      const next = await lineage.continue({ conversationId, input: "x" });
      expect(next.preset_id).toBe("clerk");
      await refused(lineage.updateConversation("nothing", { title: "x" }), "lineage/not-found");
      await refused(lineage.updateConversation(conversationId, { metadata: { x: Number.NaN } }), "lineage/invalid");
      await refused(
        lineage.updateConversation(conversationId, { metadata: { x: "y".repeat(20_000) } }),
        "lineage/limit",
      );
      await refused(lineage.updateConversation(conversationId, { title: "y".repeat(513) }), "lineage/limit");
    }),
  );

  // Verifies: reference lineage "metadata (shallow merge, null removes a key)", with the start of a run
  it(
    "metadata that come with a run are merged into the conversation's, a fork's are its own, and wrong ones start nothing",
    on(async (lineage) => {
      const { session_id: conversationId } = await lineage.root({ input: "x", metadata: { a: 1, b: 2, c: null } });
      await lineage.commit(conversationId, committed());
      const next = await lineage.continue({ conversationId, input: "x", metadata: { b: null, d: { e: 3 } } });
      await lineage.commit(next.session_id, committed());
      const fork = await lineage.fork({ conversationId, input: "x", metadata: { f: 4, g: null } });
      const metadata = { large: "x".repeat(20_000) };

      await refused(lineage.continue({ conversationId, input: "x", metadata }), "lineage/limit");
      await refused(lineage.fork({ conversationId, input: "x", metadata }), "lineage/limit");

      expect((await lineage.conversation(conversationId)).metadata).toEqual({ a: 1, d: { e: 3 } });
      expect((await lineage.conversation(fork.session_id)).metadata).toEqual({ f: 4 });
      expect((await lineage.conversation(conversationId)).running).toBeNull();
      expect((await lineage.runs({})).runs).toHaveLength(3);
    }),
  );

  it("can be looked at without a process of one's own: nothing is written", () =>
    use(async (world) => {
      const lineage = await world.open();
      const conversationId = await conversationOf(lineage);
      const { commit } = world.store;
      world.store.commit = () => Promise.reject(new Error("a reader writes nothing"));

      const reader = readLineage({ store: world.store, states: world.states });

      expect(await reader.conversation(conversationId)).toEqual(await lineage.conversation(conversationId));
      expect((await reader.conversations()).conversations).toHaveLength(1);
      expect((await reader.runs({ conversationId })).runs).toEqual([await reader.run(conversationId)]);
      expect((await reader.turns(conversationId)).turns).toHaveLength(1);
      expect(await reader.mailbox(conversationId)).toEqual([]);
      expect(await reader.state(conversationId)).toEqual(await lineage.state(conversationId));
      expect(await reader.display(conversationId)).toEqual([]);
      world.store.commit = commit;
    }));
}
