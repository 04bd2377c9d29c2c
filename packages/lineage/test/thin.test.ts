import { expect, it } from "vitest";
import { onStores } from "./support/stores.ts";
import { committed, refused } from "./support/world.ts";

for (const kind of ["memory", "SQLite"] as const) {
  onStores(kind, `thin path on ${kind}`, (use) => {
    it("goes through", () =>
      use(async (world) => {
        const lineage = await world.open();
        const root = await lineage.root({ input: "Hello there" });
        expect(root.conversation_id).toBe(root.session_id);
        await refused(lineage.continue({ conversationId: root.conversation_id, input: "x" }), "lineage/busy");
        await lineage.commit(root.session_id, committed());
        const next = await lineage.continue({ conversationId: root.conversation_id, input: "more" });
        expect(next.parent_session_id).toBe(root.session_id);
        await lineage.commit(next.session_id, committed({ output: "two" }));
        const fork = await lineage.fork({ conversationId: root.conversation_id, from: root.session_id, input: "else" });
        expect(fork.conversation_id).toBe(fork.session_id);
        expect((await lineage.turns(root.conversation_id)).turns.map(({ output }) => output)).toEqual(["done", "two"]);
        expect((await lineage.conversations({ status: "active" })).conversations.length).toBe(2);
        await lineage.fail(fork.session_id, "why");
        await lineage.close();
      }));
  });
}
