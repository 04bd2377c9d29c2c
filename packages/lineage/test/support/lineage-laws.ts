import { expect, it } from "vitest";
import { type Lineage, type Run, textsOf } from "../../src/index.ts";
import { onLineage, type Use } from "./stores.ts";
import { committed, refused } from "./world.ts";

/** Creates and commits a root; gives its conversation. */
export async function conversationOf(lineage: Lineage, input = "Hello"): Promise<string> {
  const { session_id } = await lineage.root({ input });
  await lineage.commit(session_id, committed());
  return session_id;
}

/** Goes on once, up to the commit. */
export async function turn(lineage: Lineage, conversationId: string, output = "done"): Promise<Run> {
  const { session_id } = await lineage.continue({ conversationId, input: `to get ${output}` });
  return (await lineage.commit(session_id, committed({ output }))).run;
}

export function creationLaws(use: Use): void {
  const on = onLineage(use);

  // Verifies: seed conversation-and-session, table conversation_id, row Root; field metadata.session_type
  it(
    "a root has no parent, is an agent run, and its conversation has its id",
    on(async (lineage, world) => {
      const run = await lineage.root({ input: "Build me a house", presetId: "architect", transport: "stream" });

      expect(run).toMatchObject({
        conversation_id: run.session_id,
        parent_session_id: null,
        session_type: "agent",
        spawned_by: null,
        status: "created",
        transport: "stream",
        preset_id: "architect",
        created_at: world.nowMs,
        run_summary: null,
      });
      expect(await lineage.conversation(run.session_id)).toEqual({
        conversation_id: run.session_id,
        title: "Build me a house",
        default_preset_id: "architect",
        metadata: {},
        status: "active",
        created_at: world.nowMs,
        updated_at: world.nowMs,
        running: run.session_id,
      });
    }),
  );

  // Verifies: seed conversation-and-session, table conversation_id, row Continuation
  it(
    "a continuation follows the previous snapshot in its conversation",
    on(async (lineage) => {
      const conversationId = await conversationOf(lineage);

      const second = await lineage.continue({ conversationId, input: "and then?" });
      await lineage.commit(second.session_id, committed());
      const third = await lineage.continue({ conversationId, input: "and then?" });

      expect(second).toMatchObject({
        conversation_id: conversationId,
        parent_session_id: conversationId,
        spawned_by: null,
      });
      expect(third).toMatchObject({
        conversation_id: conversationId,
        parent_session_id: second.session_id,
        session_type: "agent",
      });
      expect(new Set([conversationId, second.session_id, third.session_id]).size).toBe(3);
    }),
  );

  // Verifies: seed conversation-and-session, table conversation_id, row Fork; Git-like DAG
  it(
    "a fork follows any earlier snapshot, in a new conversation with its own id, and copies nothing",
    on(async (lineage, world) => {
      const conversationId = await conversationOf(lineage);
      const second = await turn(lineage, conversationId, "two");
      await turn(lineage, conversationId, "three");
      await lineage.updateConversation(conversationId, { title: "The first", metadata: { customer: "acme" } });
      let written = 0;
      const { commit } = world.store;
      world.store.commit = (writes, options) => {
        written += writes.length;
        return commit.call(world.store, writes, options);
      };

      const fork = await lineage.fork({ conversationId, from: second.session_id, input: "Another way" });

      expect(fork).toMatchObject({
        conversation_id: fork.session_id,
        parent_session_id: second.session_id,
        session_type: "agent",
        spawned_by: null,
      });
      expect(written).toBe(2);
      expect(await lineage.conversation(fork.session_id)).toMatchObject({
        title: "Another way",
        metadata: {},
        status: "active",
      });
      await lineage.commit(fork.session_id, committed({ output: "the other" }));
      const next = await lineage.continue({ conversationId: fork.session_id, input: "on" });
      expect(next.parent_session_id).toBe(fork.session_id);
      expect(
        (await lineage.runs({ parentId: second.session_id })).runs.map(({ conversation_id }) => conversation_id),
      ).toEqual(expect.arrayContaining([conversationId, fork.session_id]));
      expect((await lineage.turns(conversationId)).turns).toHaveLength(3);
    }),
  );

  // Verifies: seed conversation-and-session, table conversation_id, row Async subagent; reference lineage, rows "async subagent, first" and "again"; defect 1
  it(
    "a subagent runs in its spawner's conversation, the second time from its own last snapshot",
    on(async (lineage) => {
      const main = await lineage.root({ input: "Delegate" });

      const first = await lineage.subagent({ spawnedBy: main.session_id, name: "scout", input: "Look around" });
      const other = await lineage.subagent({ spawnedBy: main.session_id, name: "cook", input: "Cook" });
      await lineage.commit(first.session_id, committed({ output: "found" }));
      const again = await lineage.subagent({ spawnedBy: main.session_id, name: "scout", input: "Look again" });

      const common = { conversation_id: main.session_id, session_type: "async_subagent", spawned_by: main.session_id };
      expect(first).toMatchObject({ ...common, parent_session_id: null, subagent_name: "scout" });
      expect(other).toMatchObject({ ...common, parent_session_id: null, subagent_name: "cook" });
      expect(again).toMatchObject({ ...common, parent_session_id: first.session_id });
      expect((await lineage.conversations()).conversations).toHaveLength(1);
    }),
  );

  // Verifies: reference lineage "A parent that does not exist: error and nothing is created"
  it(
    "what does not exist is no parent, and then nothing is created",
    on(async (lineage) => {
      const conversationId = await conversationOf(lineage);
      const input = "x";

      await refused(lineage.continue({ conversationId: "nothing", input }), "lineage/not-found");
      await refused(lineage.continue({ conversationId, parentId: "nothing", input }), "lineage/not-found");
      await refused(lineage.fork({ conversationId, from: "nothing", input }), "lineage/not-found");
      await refused(lineage.fork({ conversationId: "nothing", input }), "lineage/not-found");
      await refused(lineage.subagent({ spawnedBy: "nothing", name: "scout", input }), "lineage/not-found");

      expect((await lineage.runs()).runs).toHaveLength(1);
      expect((await lineage.conversations()).conversations).toHaveLength(1);
      expect((await lineage.conversation(conversationId)).running).toBeNull();
    }),
  );

  // Verifies: SSOT 3.13, row continuation
  it(
    "a conversation whose runs all failed begins anew as it began, and works where it did",
    on(async (lineage) => {
      const source = await conversationOf(lineage);
      const environment = { projects: ["/shop"] };
      const root = await lineage.root({ input: "Hi", environment });
      const fork = await lineage.fork({ conversationId: source, input: "Another way", environment });

      for (const { session_id: conversationId, parent_session_id } of [root, fork]) {
        await lineage.fail(conversationId, "no");
        const second = await lineage.continue({ conversationId, input: "Again" });
        await lineage.fail(second.session_id, "no");
        const third = await lineage.continue({ conversationId, input: "Again" });

        const begun = { conversation_id: conversationId, parent_session_id, environment: root.environment };
        expect(second).toMatchObject(begun);
        expect(third).toMatchObject(begun);
      }
    }),
  );

  // Verifies: reference lineage "A fork point must belong to the conversation named (422), be committed (404 if none)"
  it(
    "a fork point belongs to the conversation and is committed",
    on(async (lineage) => {
      const conversationId = await conversationOf(lineage);
      const elsewhere = await conversationOf(lineage);
      const running = await lineage.continue({ conversationId, input: "go" });
      const fresh = await lineage.root({ input: "nothing committed yet" });

      await refused(lineage.fork({ conversationId, from: elsewhere, input: "x" }), "lineage/invalid");
      await refused(lineage.fork({ conversationId, from: running.session_id, input: "x" }), "lineage/not-found");
      await refused(lineage.fork({ conversationId: fresh.session_id, input: "x" }), "lineage/not-found");
      await lineage.fail(running.session_id, "no");
      await refused(lineage.fork({ conversationId, from: running.session_id, input: "x" }), "lineage/not-found");
    }),
  );

  // Verifies: reference lineage "its title comes from the first text input (50 characters)"
  it(
    "the title is the beginning of the first text, or what the caller says",
    on(async (lineage) => {
      const long = `${"word ".repeat(20)}`;
      const image = { type: "image", url: "https://example.org/a.png" };
      const inputs = [
        [image, { type: "text", text: " \n" }, { type: "text", text: long }],
        [image],
        "two\nlines",
      ] as const;

      const titles = [];
      for (const input of inputs) {
        const { session_id } = await lineage.root({ input });
        titles.push((await lineage.conversation(session_id)).title);
      }
      const { session_id } = await lineage.root({ input: "x", title: "Said" });

      expect(titles).toEqual([long.slice(0, 50), null, "two lines"]);
      expect((await lineage.conversation(session_id)).title).toBe("Said");
      expect(textsOf(inputs[0])).toEqual([" \n", long]);
    }),
  );

  // Verifies: reference lineage "A run never reuses an id"; seed "A new execution always produces a new session_id"
  it(
    "an id is used once, by a run of whatever kind",
    on(async (lineage) => {
      const conversationId = await conversationOf(lineage);
      const main = await lineage.continue({ conversationId, id: "mine", input: "x" });

      await refused(lineage.root({ id: "mine", input: "x" }), "lineage/taken");
      await refused(lineage.fork({ id: conversationId, conversationId, input: "x" }), "lineage/taken");
      await refused(
        lineage.subagent({ id: "mine", spawnedBy: main.session_id, name: "s", input: "x" }),
        "lineage/taken",
      );
      for (const id of ["", "..", ".hidden", "a/b", "a..b", "x".repeat(101), "a\0"]) {
        await refused(lineage.root({ id, input: "x" }), "lineage/invalid");
      }

      expect((await lineage.run("mine")).conversation_id).toBe(conversationId);
    }),
  );

  // Verifies: reference lineage "the newest committed or awaiting snapshot of type agent in the conversation"; defect 2
  it(
    "a continuation takes the newest committed or awaiting agent run, no failed, archived or subagent's one",
    on(async (lineage) => {
      const conversationId = await conversationOf(lineage);
      const parentOfNext = async () => {
        const next = await lineage.continue({ conversationId, input: "next" });
        await lineage.fail(next.session_id, "only asked for its parent");
        return next.parent_session_id;
      };
      const second = await turn(lineage, conversationId);
      const scout = await lineage.subagent({ spawnedBy: second.session_id, name: "scout", input: "x" });
      await lineage.commit(scout.session_id, committed());

      expect(await parentOfNext()).toBe(second.session_id);
      expect(await parentOfNext()).toBe(second.session_id);
      const waiting = await lineage.continue({ conversationId, input: "ask me" });
      await lineage.commit(waiting.session_id, committed({ status: "awaiting_tool_results" }));
      expect(await parentOfNext()).toBe(waiting.session_id);
      const last = await turn(lineage, conversationId);
      await lineage.archive(last.session_id);
      expect(await parentOfNext()).toBe(waiting.session_id);
    }),
  );

  // Verifies: seed "Continue: New session with parent pointing to previous session"
  it(
    "a parent that is named must be the newest; any other is the point of a fork",
    on(async (lineage) => {
      const conversationId = await conversationOf(lineage);
      const second = await turn(lineage, conversationId);
      const elsewhere = await conversationOf(lineage);
      const scout = await lineage.subagent({ spawnedBy: second.session_id, name: "scout", input: "x" });
      await lineage.commit(scout.session_id, committed());

      for (const parentId of [conversationId, elsewhere, scout.session_id]) {
        await refused(lineage.continue({ conversationId, parentId, input: "x" }), "lineage/invalid");
      }
      const next = await lineage.continue({ conversationId, parentId: second.session_id, input: "x" });

      expect(next.parent_session_id).toBe(second.session_id);
    }),
  );

  // Verifies: reference lineage, Environment
  it(
    "a run works in the folders that it names, else in those of the run that it follows",
    on(async (lineage) => {
      const environment = { projects: ["/work/a", "/work/b"], mode: "container" } as const;
      const root = await lineage.root({ input: "x", environment });
      const scout = await lineage.subagent({ spawnedBy: root.session_id, name: "scout", input: "x" });
      const cook = await lineage.subagent({
        spawnedBy: root.session_id,
        name: "cook",
        input: "x",
        presetEnvironment: { workspace: "kitchen" },
        defaultEnvironment: { projects: [] },
      });
      await lineage.commit(root.session_id, committed());
      const next = await lineage.continue({ conversationId: root.session_id, input: "x" });
      const fork = await lineage.fork({ conversationId: root.session_id, input: "x", environment: { projects: [] } });
      const bare = await lineage.root({ input: "x" });
      const byDefault = await lineage.subagent({
        spawnedBy: bare.session_id,
        name: "cook",
        input: "x",
        defaultEnvironment: { projects: ["/default"] },
      });

      expect(root.environment).toEqual(environment);
      expect([scout.environment, next.environment]).toEqual([environment, environment]);
      expect(cook.environment).toEqual({ mode: "local", workspace: "kitchen" });
      expect(fork.environment).toEqual({ mode: "local", projects: [] });
      expect(bare.environment).toBeNull();
      expect(byDefault.environment).toEqual({ mode: "local", projects: ["/default"] });
      const both = { workspace: "w", projects: ["/a"] };
      await refused(lineage.root({ input: "x", environment: both }), "lineage/invalid");
      await refused(lineage.root({ input: "x", environment: {} }), "lineage/invalid");
      await refused(lineage.root({ input: "x", environment: { projects: ["/a", "/a"] } }), "lineage/invalid");
    }),
  );
}
