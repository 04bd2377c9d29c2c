// @module-tag xtdb
// @module-tag long
// Verifies: reads are of the state that was asked for, and what fails is not an empty answer.
import { describe, expect, it } from "vitest";
import { clientLimits, connectXtdb, datalog, put } from "../src/index.ts";
import { countedRequests } from "./support/counted-requests.ts";
import { listed } from "./support/listed.ts";
import { withNode, withOwnNode } from "./support/live-node.ts";
import { rejected } from "./support/thrown.ts";

withNode("a read", (node) => {
  it("sees what its client submitted, confirmed or not", async () => {
    const client = node.client();
    const id = node.id("own");

    for (let n = 0; n < 20; n += 1) {
      await client.submit([put({ "xt/id": id, n })]);

      expect(await client.entity(id)).toMatchObject({ n });
      expect((await client.pull([id])).get(id)).toMatchObject({ n });
    }
  });

  it("waits for a transaction that it may not miss, and reads the newest state", async () => {
    const [writer, reader] = [node.client(), node.client()];
    const id = node.id("not before");
    const query = datalog`{:find [n] :in [e] :where [[e :n n]]}`;

    for (let n = 0; n < 20; n += 1) {
      const { txId } = await writer.submit([put({ "xt/id": id, n })]);

      expect(await reader.query(query, [id], { notBeforeTxId: txId })).toEqual([[n]]);
      expect(await reader.query(query, [id], { notBeforeTxId: Math.max(0, txId - 1) })).toEqual([[n]]);
    }
  });

  it("is of one transaction where that is named", async () => {
    const client = node.client();
    const id = node.id("as of");
    const first = await client.submitAndConfirm([put({ "xt/id": id, n: 1 })]);
    const second = await client.submitAndConfirm([put({ "xt/id": id, n: 2 })]);
    const query = datalog`{:find [n] :in [e] :where [[e :n n]]}`;

    expect(await client.entity(id, { txId: first.txId })).toMatchObject({ n: 1 });
    expect(await client.query(query, [id], { txId: first.txId })).toEqual([[1]]);
    expect((await client.pull([id], { txId: first.txId })).get(id)).toMatchObject({ n: 1 });
    expect(await client.entityTx(id, { txId: first.txId })).toMatchObject({ txId: first.txId, txTime: first.txTime });
    expect(await client.entity(id, { validTime: first.txTime })).toMatchObject({ n: 1 });
    expect(await client.entity(id, { validTime: second.txTime })).toMatchObject({ n: 2 });
  });

  it("agrees with others on a basis", async () => {
    const client = node.client();
    const id = node.id("basis");
    await client.submitAndConfirm([put({ "xt/id": id, n: 1 })]);

    const basis = await client.basis();
    await client.submitAndConfirm([put({ "xt/id": id, n: 2 })]);

    expect(await client.entity(id, basis)).toMatchObject({ n: 1 });
    expect(basis.txId).toEqual(expect.any(Number));
  });

  it("says absent for what is not there", async () => {
    const client = node.client();
    const id = node.id("absent");

    expect(await client.entity(id)).toBeUndefined();
    expect(await client.entityTx(id)).toBeUndefined();
    expect(await client.pull([id])).toEqual(new Map());
    expect(await client.query(datalog`{:find [e] :in [e] :where [[e :xt/id]]}`, [id])).toEqual([]);
  });

  it("of a node tells how it is", async () => {
    const client = node.client();
    await client.submitAndConfirm([put({ "xt/id": node.id("status") })]);

    const [status, [health], synced, completed, submitted] = await Promise.all([
      client.status(),
      client.health(),
      client.sync(),
      client.latestCompleted(),
      client.latestSubmitted(),
    ]);

    expect(status).toMatchObject({
      ingesterFailed: false,
      indexVersion: expect.any(Number),
      kvStore: expect.any(String),
    });
    expect(health).toMatchObject({ reachable: true, ingesterFailed: false, lag: expect.any(Number), code: undefined });
    expect(synced.txTime).toBeInstanceOf(Date);
    expect(completed?.txId).toBeLessThanOrEqual(submitted?.txId ?? -1);
  });
});

withNode("a query", (node) => {
  it("takes its values as arguments and its order and limit from its text", async () => {
    const client = node.client();
    const mark = node.id("query");
    await client.submitAndConfirm(
      [1, 2, 3, 4].map((n) => put({ "xt/id": `${mark} ${n}`, mark, n, tags: ["a", `t${n}`] })),
    );

    const ordered = await client.query(
      datalog`{:find [n e] :in [mark] :where [[e :mark mark] [e :n n]] :order-by [[n :desc]] :limit 2 :offset 1}`,
      [mark],
    );
    const typed = await client.query(
      datalog`{:find [n] :keys [n] :in [mark [tag ...]] :where [[e :mark mark] [e :tags tag] [e :n n]]}`,
      [mark, ["t2", "t4"]],
      { parse: (row) => (row as { n: number }).n },
    );

    expect(ordered).toEqual([
      [3, `${mark} 3`],
      [2, `${mark} 2`],
    ]);
    expect(typed.toSorted()).toEqual([2, 4]);
  });

  const refusedTexts = {
    "an unknown variable": datalog`{:find [x] :where [[e :xt/id]]}`,
    "no form": datalog`{:find`,
    "no query": datalog`{:where []}`,
    "an unknown function": datalog`{:find [x] :where [[(no.such.space/name 1) x]]}`,
  };
  it.each(Object.entries(refusedTexts))("with %s is an error", async (_, query) => {
    expect((await rejected(node.client().query(query))).code).toMatch(/^xtdb\/(refused|server)$/);
  });

  it("that fails while rows stream is an error, in either format, and the client works on", async () => {
    const client = node.client();
    const mark = node.id("stream");
    await client.submitAndConfirm([
      ...Array.from({ length: 50 }, (_, n) => put({ "xt/id": `${mark} ${n}`, mark, n })),
      put({ "xt/id": `${mark} x`, mark, n: "text" }),
    ]);
    const query = datalog`{:find [e] :in [mark] :where [[e :mark mark] [e :n n] [(+ n 1) m] [(< m 1000)]]}`;

    for (const format of ["json", "edn"] as const) {
      const error = await rejected(client.query(query, [mark], { format }));
      expect(error.code).toMatch(/^xtdb\/(bad-answer|server|refused|unreachable)$/);
      expect(await client.submitAndConfirm([put({ "xt/id": `${mark} after`, format })])).toMatchObject({
        committed: true,
      });
    }
  });

  it("without the arguments that it needs is an error", async () => {
    const error = await rejected(node.client().query(datalog`{:find [e] :in [n] :where [[e :n n]]}`));

    expect(error.code).toMatch(/^xtdb\/(refused|server)$/);
  });
});

withNode("ids too long for a URL", (node) => {
  it("are refused there and taken by pull and histories", async () => {
    const client = node.client();
    const id = node.id("l".repeat(clientLimits.idUrlBytesMax * 2));
    await client.submitAndConfirm([put({ "xt/id": id, n: 1 })]);

    expect((await rejected(client.entity(id))).code).toBe("xtdb/invalid");
    expect((await client.pull([id])).get(id)).toEqual({ "xt/id": id, n: 1 });
    expect((await client.histories([id])).get(id)).toHaveLength(1);
    const longest = node.id("").padEnd(clientLimits.idUrlBytesMax - 2, "l");
    await expect(client.entity(longest)).resolves.toBeUndefined();
  });
});

withNode("ten thousand documents", (node) => {
  it("are pulled in at most three requests, in the order of the ids, each once", async () => {
    const client = node.client();
    const all = Array.from({ length: 10_000 }, (_, n) => ({ "xt/id": node.id(`bulk ${n}`), n, text: "x".repeat(200) }));
    for (let from = 0; from < all.length; from += 1_000) {
      await client.submit(all.slice(from, from + 1_000).map((document) => put(document)));
    }
    const documents = all.toReversed();
    const ids = [...documents.map((document) => document["xt/id"]), node.id("missing"), node.id("bulk 5")];

    const { value: pulled, requests } = await countedRequests(() => client.pull(ids));

    expect(requests).toBeLessThanOrEqual(3);
    expect([...pulled.keys()]).toEqual(documents.map((document) => document["xt/id"]));
    expect([...pulled.values()]).toEqual(documents);
  });
});

withOwnNode("an empty database", {}, (node) => {
  it("has no transactions, and says so without an error", async () => {
    const client = node.client();

    expect(await client.latestCompleted()).toBeUndefined();
    expect(await client.latestSubmitted()).toBeUndefined();
    expect(await client.sync()).toEqual({ txTime: undefined });
    expect((await client.basis()).txId).toBeUndefined();
    expect(await client.query(datalog`{:find [e] :where [[e :xt/id]]}`)).toEqual([]);
    expect(await client.health()).toMatchObject([{ reachable: true, lag: 0 }]);
    expect(await listed(client.txLog())).toEqual([]);
  });
});

withOwnNode("a node with a token", { token: "right" }, (node) => {
  it("answers to that token alone", async () => {
    expect((await rejected(node.client({ token: "wrong" }).status())).code).toBe("xtdb/unauthorized");
    expect((await rejected(node.client({ token: undefined }).submit([]))).code).toBe("xtdb/unauthorized");
    await expect(node.client().status()).resolves.toMatchObject({ ingesterFailed: false });
  });
});

describe.each([-1, 1.5, Number.NaN])("txId %d", (txId) => {
  it("is no transaction", async () => {
    const client = connectXtdb({ urls: "http://127.0.0.1:1" });

    expect((await rejected(client.entity("a", { txId }))).code).toBe("xtdb/invalid");
    expect((await rejected(client.isCommitted(txId))).code).toBe("xtdb/invalid");
    await client.close();
  });
});
