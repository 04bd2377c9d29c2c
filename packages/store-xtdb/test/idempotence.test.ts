// @module-tag xtdb
// Verifies: SSOT 3.7, F3: a commit that comes twice, from wherever, is written once.
import { expect, it } from "vitest";
import { toolcall } from "./support/documents.ts";
import { withNode } from "./support/live-node.ts";
import { requestsOf } from "./support/requests.ts";

withNode("repeated commits to XTDB", (node) => {
  it("give the first receipt to another store, and write nothing", async () => {
    const namespace = `repeat-${crypto.randomUUID()}`;
    const [first, second] = [node.open({ namespace }), node.open({ namespace })];
    const writes = [
      { document: toolcall("call_1", "a"), expect: "absent" as const },
      { document: toolcall("call_2", "b"), expect: "any" as const },
    ];
    const receipt = await first.commit(writes, { requestId: "r-1" });
    await first.commit([{ document: toolcall("call_1", "later"), expect: "any" }]);

    const repeated = await second.commit(writes, { requestId: "r-1" });

    expect(repeated).toEqual(receipt);
    expect((await second.history("call_1")).versions.length).toBe(2);
  });

  it("of several stores at once make one commit", async () => {
    const namespace = `repeat-${crypto.randomUUID()}`;
    const write = { document: toolcall("call", "a"), expect: "absent" as const };

    const receipts = await Promise.all(
      Array.from({ length: 6 }, () => node.open({ namespace }).commit([write], { requestId: "r-1" })),
    );

    expect(new Set(receipts.map(({ basis }) => basis)).size).toBe(1);
    expect((await node.open({ namespace }).history("call")).versions.length).toBe(1);
  });

  it("are refused where another store used the request id for other writes", async () => {
    const namespace = `repeat-${crypto.randomUUID()}`;
    await node.open({ namespace }).commit([{ document: toolcall("a", "a"), expect: "any" }], { requestId: "r-1" });

    const other = node.open({ namespace }).commit([{ document: toolcall("b", "b"), expect: "any" }], {
      requestId: "r-1",
    });

    await expect(other).rejects.toMatchObject({ code: "store/request-reused" });
  });

  it("know nothing of the same request id in another namespace", async () => {
    const write = { document: toolcall("call", "a"), expect: "absent" as const };
    await node.open().commit([write], { requestId: "r-1" });

    const { results } = await node.open().commit([write], { requestId: "r-1" });

    expect(results[0]?.outcome).toBe("written");
  });

  it("learn from one failed optimistic attempt that objects of another store are there", async () => {
    const namespace = `guess-${crypto.randomUUID()}`;
    const documents = ["a", "b", "c"].map((id) => toolcall(id, id));
    await node.open({ namespace }).commit(documents.map((document) => ({ document, expect: "any" })));
    const store = node.open({ namespace });
    const rewrite = (id: string) => () => store.commit([{ document: toolcall(id, "new"), expect: "any" }]);

    const commit = ["submit-tx"];
    expect(await requestsOf(rewrite("a"))).toEqual([...commit, "query", ...commit]);
    expect(await requestsOf(rewrite("b"))).toEqual(["query", ...commit]);
    expect((await store.history("b")).versions.length).toBe(2);
  });
});
