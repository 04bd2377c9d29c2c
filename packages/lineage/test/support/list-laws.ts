import { expect, it } from "vitest";
import type { Lineage } from "../../src/index.ts";
import { conversationOf, turn } from "./lineage-laws.ts";
import { onLineage, type Use } from "./stores.ts";
import { committed, refused } from "./world.ts";

export function listLaws(use: Use): void {
  const on = onLineage(use);

  // Verifies: reference lineage, Turns
  it(
    "turns are the input and final text of committed and awaiting agent runs, in the order of time, page by page",
    on(async (lineage) => {
      const conversationId = await conversationOf(lineage, "in 0");
      const ids = [conversationId];
      for (let n = 1; n < 6; n += 1) {
        const { session_id } = await lineage.continue({ conversationId, input: `in ${n}` });
        const scout = await lineage.subagent({ spawnedBy: session_id, name: "scout", input: "x" });
        await lineage.commit(scout.session_id, committed());
        if (n === 3) await lineage.fail(session_id, "left out");
        else {
          ids.push(session_id);
          const status = n === 5 ? "awaiting_tool_results" : "committed";
          await lineage.commit(session_id, committed({ status, output: `out ${n}` }));
        }
      }
      await lineage.archive(ids[1] ?? "");

      const all = await lineage.turns(conversationId);
      expect(all.turns.map(({ input, output, status }) => [input, output, status])).toEqual([
        ["in 0", "done", "committed"],
        ["in 2", "out 2", "committed"],
        ["in 4", "out 4", "committed"],
        ["in 5", "out 5", "awaiting_tool_results"],
      ]);
      expect(all.has_more).toBe(false);
      const newest = await lineage.turns(conversationId, { limit: 3 });
      expect(newest).toEqual({ turns: all.turns.slice(1), has_more: true });
      const before = newest.turns[0]?.session_id ?? "";
      expect(await lineage.turns(conversationId, { limit: 3, before })).toEqual({
        turns: all.turns.slice(0, 1),
        has_more: false,
      });
      expect(await lineage.turns(conversationId, { limit: 4 })).toMatchObject({ has_more: false });
      await refused(lineage.turns("nothing"), "lineage/not-found");
      await refused(lineage.turns(conversationId, { before: "nothing" }), "lineage/not-found");
      await refused(lineage.turns(conversationId, { before: await conversationOf(lineage) }), "lineage/invalid");
      await refused(lineage.turns(conversationId, { limit: 0 }), "lineage/invalid");
    }),
  );

  // Verifies: reference lineage "list newest first with filters", "must be queryable, by status and by metadata containment"
  it(
    "conversations are listed newest first, by status, preset and what their metadata contain, page by page",
    on(async (lineage, world) => {
      const ids: string[] = [];
      for (let n = 0; n < 7; n += 1) {
        world.nowMs += 1;
        const metadata = { customer: n % 2 === 0 ? "acme" : "other", tags: [`t${n % 3}`, "all"], place: { floor: n } };
        const { session_id } = await lineage.root({
          input: `n ${n}`,
          metadata,
          ...(n === 4 ? { presetId: "clerk" } : {}),
        });
        await lineage.commit(session_id, committed());
        ids.unshift(session_id);
      }
      await lineage.updateConversation(ids[6] ?? "", { title: "touched last" });
      await lineage.updateConversation(ids[0] ?? "", { status: "archived" });
      const listed = async (filter: Parameters<Lineage["conversations"]>[0]) => {
        const found: number[] = [];
        for (let cursor: string | undefined; ; ) {
          const page = await lineage.conversations({
            ...filter,
            limit: 2,
            ...(cursor === undefined ? {} : { cursor }),
          });
          found.push(...page.conversations.map(({ conversation_id }) => 6 - ids.indexOf(conversation_id)));
          if (page.next === undefined) return found;
          cursor = page.next;
        }
      };

      expect(await listed({})).toEqual([6, 5, 4, 3, 2, 1, 0]);
      expect(await listed({ status: "active" })).toEqual([5, 4, 3, 2, 1, 0]);
      expect(await listed({ status: "archived" })).toEqual([6]);
      expect(await listed({ metadata: { customer: "acme" } })).toEqual([6, 4, 2, 0]);
      expect(await listed({ metadata: { customer: "acme", tags: ["t0"] }, status: "active" })).toEqual([0]);
      expect(await listed({ metadata: { place: { floor: 3 } } })).toEqual([3]);
      expect(await listed({ metadata: { customer: "nobody" } })).toEqual([]);
      expect(await listed({ defaultPresetId: "clerk" })).toEqual([4]);
      await refused(lineage.conversations({ cursor: "none" }), "lineage/invalid");
    }),
  );

  // Verifies: seed conversation-and-session, Session Metadata "Indexed fields stored in PG for query"
  it(
    "runs are listed newest first, by conversation, status, type, transport, parent, spawner and preset",
    on(async (lineage, world) => {
      const conversationId = await conversationOf(lineage);
      world.nowMs += 1;
      const second = await turn(lineage, conversationId);
      world.nowMs += 1;
      const scout = await lineage.subagent({ spawnedBy: second.session_id, name: "scout", input: "x", presetId: "p" });
      world.nowMs += 1;
      const fork = await lineage.fork({ conversationId, from: conversationId, input: "x", transport: "stream" });
      const ids = async (filter: Parameters<Lineage["runs"]>[0]) =>
        (await lineage.runs(filter)).runs.map(({ session_id }) => session_id);

      expect(await ids({})).toEqual([fork.session_id, scout.session_id, second.session_id, conversationId]);
      expect(await ids({ conversationId })).toEqual([scout.session_id, second.session_id, conversationId]);
      expect(await ids({ conversationId, type: "agent" })).toEqual([second.session_id, conversationId]);
      expect(await ids({ status: "created" })).toEqual([fork.session_id, scout.session_id]);
      expect(await ids({ parentId: conversationId })).toEqual([fork.session_id, second.session_id]);
      expect(await ids({ spawnedBy: second.session_id })).toEqual([scout.session_id]);
      expect(await ids({ presetId: "p" })).toEqual([scout.session_id]);
      expect(await ids({ transport: "stream" })).toEqual([fork.session_id]);
      expect(await ids({ transport: "sse", type: "agent" })).toEqual([second.session_id, conversationId]);
      await refused(lineage.runs({ cursor: "none" }), "lineage/invalid");
      const first = await lineage.runs({ limit: 3 });
      expect(
        (await lineage.runs({ limit: 3, cursor: first.next ?? "" })).runs.map(({ session_id }) => session_id),
      ).toEqual([conversationId]);
    }),
  );
}
