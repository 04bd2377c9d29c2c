// @module-tag xtdb
// Verifies: the log can be followed from any transaction on, however long it is.
import { expect, it } from "vitest";
import { type EdnOutput, Keyword, type LogEntry, match, put } from "../src/index.ts";
import { countedRequests } from "./support/counted-requests.ts";
import { listed } from "./support/listed.ts";
import { withNode, withOwnNode } from "./support/live-node.ts";

withNode("the log", (node) => {
  it("holds what was committed, in order, and nothing that was not", async () => {
    const client = node.client();
    const id = node.id("log");
    const first = await client.submitAndConfirm([put({ "xt/id": id, n: 1 })]);
    const failed = await client.submitAndConfirm([match(id, null), put({ "xt/id": id, n: 2 })]);
    const last = await client.submitAndConfirm([put({ "xt/id": id, n: 3 }, new Date(1_000_000_000_000))]);

    const ours = (entries: LogEntry[]) =>
      entries.filter(({ txId }) => [first, failed, last].some((tx) => tx.txId === txId));
    const plain = await listed(client.txLog({ afterTxId: first.txId - 1 }));
    const full = await listed(client.txLog({ afterTxId: first.txId - 1, operations: true }));
    const rest = await listed(client.txLog({ afterTxId: first.txId }));

    expect(ours(plain)).toEqual([
      { txId: first.txId, txTime: first.txTime },
      { txId: last.txId, txTime: last.txTime },
    ]);
    const operations: readonly EdnOutput[] | undefined = ours(full).at(-1)?.operations;
    expect(operations).toEqual([[new Keyword("xtdb.api/put"), { "xt/id": id, n: 3 }, new Date(1_000_000_000_000)]]);
    expect(ours(rest)).toEqual([{ txId: last.txId, txTime: last.txTime }]);
  });
});

// What others write to the node of the run may be larger than a page.
withOwnNode("the log of a node of its own", {}, (node) => {
  it("is read page by page where it is long", async () => {
    const client = node.client({ answerBytesMax: 200_000 });
    const text = "0123456789".repeat(1_000);
    const start = await client.submitAndConfirm([]);
    const ids: number[] = [];
    for (let n = 0; n < 50; n += 1) {
      // One of them larger than a page may be at first.
      const count = n === 25 ? 9 : 1;
      const documents = Array.from({ length: count }, (_, m) => put({ "xt/id": node.id(`page ${n} ${m}`), text }));
      ids.push((await client.submit(documents)).txId);
    }
    await client.sync();

    const { value: entries, requests } = await countedRequests(() =>
      listed(client.txLog({ afterTxId: start.txId, operations: true })),
    );

    expect(entries.map(({ txId }) => txId).filter((txId) => ids.includes(txId))).toEqual(ids);
    expect(requests).toBeGreaterThan(2);
  });
});
