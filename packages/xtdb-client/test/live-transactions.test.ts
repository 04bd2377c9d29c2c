// @module-tag xtdb
// Verifies: queued and committed are different words; compare-and-set holds; time travels both ways.
import { expect, it } from "vitest";
import { callFunction, clojure, evict, match, put, putFunction, remove } from "../src/index.ts";
import { withNode, withOwnNode } from "./support/live-node.ts";
import { rejected } from "./support/thrown.ts";

withNode("a transaction", (node) => {
  it("is queued, then committed", async () => {
    const client = node.client();
    const id = node.id("queued");

    const queued = await client.submit([put({ "xt/id": id, n: 1 })]);
    const committed = await client.isCommitted(queued.txId);
    const indexed = await client.awaitTx(queued.txId);

    expect(committed).toBe(true);
    expect(indexed.txId).toBeGreaterThanOrEqual(queued.txId);
    expect(queued.txTime).toBeInstanceOf(Date);
    expect((await client.entityTx(id))?.txTime).toEqual(queued.txTime);
  });

  it("does nothing when a match fails, and says so", async () => {
    const client = node.client();
    const id = node.id("cas");
    const first = { "xt/id": id, rev: 1 };
    const steps = [
      [match(id, null), put(first)],
      [match(id, null), put({ "xt/id": id, rev: 9 })],
      [match(id, first), put({ "xt/id": id, rev: 2 })],
      [put({ "xt/id": node.id("other"), n: 1 }), match(id, first)],
      [match(id, first, new Date("1999-01-01"))],
      [match(id, null, new Date("1999-01-01"))],
    ];

    const committed = [];
    for (const operations of steps) committed.push((await client.submitAndConfirm(operations)).committed);

    expect(committed).toEqual([true, false, true, false, false, true]);
    expect(await client.entity(id)).toEqual({ "xt/id": id, rev: 2 });
    expect(await client.entity(node.id("other"))).toBeUndefined();
  });

  it("lets one of many win each round", async () => {
    const client = node.client();
    const id = node.id("counter");
    await client.submitAndConfirm([put({ "xt/id": id, n: 0 })]);
    const increment = async (): Promise<void> => {
      for (;;) {
        const now = await client.entity(id);
        const next = { "xt/id": id, n: Number(now?.n) + 1 };
        const done = await client.submitAndConfirm([match(id, { "xt/id": id, n: next.n - 1 }), put(next)]);
        if (done.committed) return;
      }
    };

    await Promise.all(Array.from({ length: 5 }, () => increment()));

    expect(await client.entity(id)).toEqual({ "xt/id": id, n: 5 });
  });

  it("writes into the past and the future", async () => {
    const client = node.client();
    const id = node.id("times");
    const year = (n: number) => new Date(Date.UTC(n, 0));
    await client.submitAndConfirm([
      put({ "xt/id": id, v: 1 }, year(2001)),
      put({ "xt/id": id, v: 2 }, year(2003), year(2004)),
    ]);
    const { txId } = await client.submitAndConfirm([
      remove(id, year(2002), year(2003)),
      put({ "xt/id": id, v: 3 }, year(2100)),
    ]);

    const seen = [];
    for (const n of [2000, 2001, 2002, 2003, 2004, 2101]) {
      seen.push((await client.entity(id, { validTime: year(n) }))?.v);
    }

    expect(seen).toEqual([undefined, 1, undefined, 2, 1, 3]);
    expect((await client.entity(id, { txId: txId - 1, validTime: year(2002) }))?.v).toBe(1);
  });

  it("removes and evicts", async () => {
    const client = node.client();
    const [gone, erased] = [node.id("gone"), node.id("erased")];
    const { txId } = await client.submitAndConfirm([put({ "xt/id": gone, n: 1 }), put({ "xt/id": erased, n: 1 })]);

    await client.submitAndConfirm([remove(gone)]);
    await client.submitAndConfirm([evict(erased)]);

    expect(await client.entity(gone)).toBeUndefined();
    expect(await client.entityTx(gone)).toMatchObject({ contentHash: null });
    expect(await client.entity(gone, { txId })).toMatchObject({ n: 1 });
    expect(await client.entity(erased)).toBeUndefined();
    expect(await client.entityTx(erased)).toBeUndefined();
    expect(await client.entity(erased, { txId })).toBeUndefined();
  });

  it("may be empty, or large", async () => {
    const client = node.client();
    const text = "0123456789".repeat(5_000);

    expect(await client.submitAndConfirm([])).toMatchObject({ committed: true });
    const documents = Array.from({ length: 100 }, (_, n) => ({
      "xt/id": node.id(`large ${n}`),
      n,
      text: `${n} ${text}`,
    }));
    const { txId } = await client.submitAndConfirm(documents.map((document) => put(document)));

    expect([
      ...(
        await client.pull(
          documents.map((it) => it["xt/id"]),
          { txId },
        )
      ).values(),
    ]).toEqual(documents);
  });

  it("that is refused was not written", async () => {
    const client = node.client();
    const id = node.id("backwards");

    const { committed } = await client.submitAndConfirm([put({ "xt/id": id })], { txTime: new Date("1999-01-01") });

    expect(committed).toBe(false);
    expect(await client.entity(id)).toBeUndefined();
  });

  it("far ahead is waited for until the deadline, at the node's word or ours", async () => {
    const client = node.client({ deadlineMs: 600 });
    const ahead = ((await client.latestCompleted())?.txId ?? 0) + 1_000_000;

    const errors = await Promise.all([
      rejected(client.isCommitted(ahead)),
      rejected(client.awaitTx(ahead)),
      rejected(client.entity("a", { txId: ahead })),
      rejected(client.pull(["a"], { txId: ahead })),
    ]);

    expect(errors.map(({ code }) => code)).toEqual(Array(4).fill("xtdb/deadline"));
  });
});

withOwnNode("a transaction function", { transactionFunctions: true }, (node) => {
  it("runs where it is allowed on both sides", async () => {
    const client = node.client();
    const id = node.id("counted");
    const bump = clojure`(fn [ctx id n]
      (let [db (xtdb.api/db ctx)]
        [[:xtdb.api/put (update (xtdb.api/entity db id) :n + n)]])) ; adds`;
    await client.submitAndConfirm([putFunction("bump", bump), put({ "xt/id": id, n: 1 })], { allowCode: true });

    const called = await client.submitAndConfirm([callFunction("bump", id, 41)], { allowCode: true });
    const failed = await client.submitAndConfirm([callFunction("bump", id, "x")], { allowCode: true });

    expect([called.committed, failed.committed]).toEqual([true, false]);
    expect(await client.entity(id)).toMatchObject({ n: 42 });
  });
});

withOwnNode("where functions are not allowed", {}, (node) => {
  it("the node refuses them, whatever the client allows", async () => {
    const client = node.client();

    const error = await rejected(client.submit([putFunction("f", clojure`(fn [ctx] [])`)], { allowCode: true }));

    expect(["xtdb/forbidden", "xtdb/refused"]).toContain(error.code);
  });
});
