import { expect, it } from "vitest";
import { httpStatusOf, type Lineage } from "../../src/index.ts";
import { conversationOf } from "./lineage-laws.ts";
import { onLineage, type Use } from "./stores.ts";
import { committed, refused, type World } from "./world.ts";

/** A conversation whose subagents have finished: one result, one that waits, one failure. */
async function withPosts(
  lineage: Lineage,
  world: World,
): Promise<{ conversationId: string; posts: readonly string[] }> {
  const conversationId = await conversationOf(lineage);
  const posts: string[] = [];
  for (const name of ["scout", "clerk", "cook"]) {
    world.nowMs += 1;
    const { session_id } = await lineage.subagent({ spawnedBy: conversationId, name, input: "x" });
    posts.push(session_id);
  }
  const [scout = "", clerk = "", cook = ""] = posts;
  await lineage.fail(cook, "burnt");
  await lineage.commit(clerk, committed({ status: "awaiting_tool_results", output: "needs a stamp" }));
  await lineage.commit(scout, committed({ output: "found water" }));
  return { conversationId, posts };
}

export function mailboxLaws(use: Use): void {
  const on = onLineage(use, { owner: "first" });

  // Verifies: reference lineage "each finished subagent posts one reference (result or failed; an awaiting one counts as result)"
  it(
    "each finished subagent posts one reference, agents and running subagents none",
    on(async (lineage, world) => {
      const { conversationId, posts } = await withPosts(lineage, world);
      await lineage.subagent({ spawnedBy: conversationId, name: "slow", input: "x" });
      const elsewhere = await conversationOf(lineage);

      const waiting = await lineage.mailbox(conversationId);

      const common = { conversation_id: conversationId };
      expect(waiting).toEqual([
        { ...common, session_id: posts[0], subagent_name: "scout", outcome: "result" },
        { ...common, session_id: posts[1], subagent_name: "clerk", outcome: "result" },
        { ...common, session_id: posts[2], subagent_name: "cook", outcome: "failed" },
      ]);
      expect(await lineage.mailbox(elsewhere)).toEqual([]);
      await refused(lineage.mailbox("nothing"), "lineage/not-found");
    }),
  );

  // Verifies: reference lineage "Fire: … parent = newest agent snapshot, claim all pending in one atomic step, render single or grouped text plus optional user input, run, mark with the consuming snapshot"
  it(
    "a fire takes all posts into one agent run, in one transaction",
    on(async (lineage, world) => {
      const { conversationId } = await withPosts(lineage, world);
      let commits = 0;
      const { commit } = world.store;
      world.store.commit = (writes, options) => {
        commits += 1;
        return commit.call(world.store, writes, options);
      };

      const run = await lineage.fire({ conversationId, input: "What now?" });

      expect(commits).toBe(1);
      expect(run).toMatchObject({
        session_type: "agent",
        parent_session_id: conversationId,
        conversation_id: conversationId,
      });
      expect(run.input).toBe(
        [
          "3 subagents have finished.",
          "The subagent scout has finished:\n\nfound water",
          "The subagent clerk has finished:\n\nneeds a stamp",
          "The subagent cook has failed:\n\nburnt",
          "What now?",
        ].join("\n\n"),
      );
      expect(await lineage.mailbox(conversationId)).toEqual([]);
      expect((await lineage.conversation(conversationId)).running).toBe(run.session_id);
      await lineage.commit(run.session_id, committed());
      expect(await lineage.mailbox(conversationId)).toEqual([]);
      const scout = await lineage.subagent({ spawnedBy: run.session_id, name: "scout", input: "x" });
      await lineage.commit(scout.session_id, committed({ output: "found more" }));
      const next = await lineage.fire({ conversationId });
      expect(next.input).toBe("The subagent scout has finished:\n\nfound more");
    }),
  );

  // Verifies: reference lineage "Fire: busy check, empty mailbox 422"
  it(
    "a fire is refused where an agent runs, and where nothing waits",
    on(async (lineage, world) => {
      const { conversationId } = await withPosts(lineage, world);
      const empty = await conversationOf(lineage);
      const running = await lineage.continue({ conversationId, input: "x" });

      const busy = await refused(lineage.fire({ conversationId }), "lineage/busy");
      const nothing = await refused(lineage.fire({ conversationId: empty }), "lineage/empty-mailbox");
      await refused(lineage.fire({ conversationId: "nothing" }), "lineage/not-found");

      expect([httpStatusOf(busy), busy.data.running, httpStatusOf(nothing)]).toEqual([409, running.session_id, 422]);
      expect(await lineage.mailbox(conversationId)).toHaveLength(3);
      expect((await lineage.conversation(empty)).running).toBeNull();
    }),
  );

  // Verifies: reference lineage "a launch that fails gives the claim back"
  it(
    "posts wait again where the run could not be launched, has failed, or its process is gone",
    on(async (lineage, world) => {
      const { conversationId, posts } = await withPosts(lineage, world);
      const waiting = async () => (await lineage.mailbox(conversationId)).map(({ session_id }) => session_id);

      const launching = lineage.fire({ conversationId }, () => {
        throw new Error("no model");
      });
      await expect(launching).rejects.toThrow("no model");
      expect(await waiting()).toEqual(posts);
      expect((await lineage.conversation(conversationId)).running).toBeNull();

      const failing = await lineage.fire({ conversationId });
      await lineage.fail(failing.session_id, "later");
      expect(await waiting()).toEqual(posts);

      await lineage.fire({ conversationId });
      expect(await waiting()).toEqual([]);
      const again = await world.open({ owner: "first" });
      expect(await again.recover()).toHaveLength(1);
      expect(await waiting()).toEqual(posts);
    }),
  );

  it(
    "of two fires at once one takes all posts",
    on(async (lineage, world) => {
      const { conversationId } = await withPosts(lineage, world);
      const other = await world.open({ owner: "second" });

      const fires = await Promise.allSettled(
        [lineage, other, lineage, other].map((one) => one.fire({ conversationId })),
      );

      expect(fires.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect((await lineage.runs({ conversationId, status: "created" })).runs).toHaveLength(1);
      expect(await lineage.mailbox(conversationId)).toEqual([]);
    }),
  );

  // Verifies: reference lineage "Failure of the main run does not stop subagents"
  it(
    "subagents go on when the main run fails, and finish at the same time",
    on(async (lineage) => {
      const conversationId = await conversationOf(lineage);
      const main = await lineage.continue({ conversationId, input: "x" });
      const names = ["a", "b", "c", "d"];
      const runs = await Promise.all(
        names.map((name) => lineage.subagent({ spawnedBy: main.session_id, name, input: "x" })),
      );
      await lineage.fail(main.session_id, "no");

      await Promise.all(runs.map(({ session_id }) => lineage.commit(session_id, committed())));

      expect((await lineage.mailbox(conversationId)).map(({ subagent_name }) => subagent_name).sort()).toEqual(names);
    }),
  );
}
