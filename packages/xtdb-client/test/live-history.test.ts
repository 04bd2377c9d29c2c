// @module-tag xtdb
// Verifies: a history holds every version with exact times, whatever its length and in as few requests as can be.
import { expect, it } from "vitest";
import { connectXtdb, evict, put, remove } from "../src/index.ts";
import { countedRequests } from "./support/counted-requests.ts";
import { listed } from "./support/listed.ts";
import { withNode } from "./support/live-node.ts";
import { edn, reply, scriptedServer } from "./support/scripted-server.ts";

const year = (n: number) => new Date(Date.UTC(n, 0));

withNode("a history", (node) => {
  it("holds past, removed and future versions with exact times", async () => {
    const client = node.client();
    const id = node.id("history");
    const first = await client.submitAndConfirm([
      put({ "xt/id": id, n: 1, at: new Date(1) }),
      put({ "xt/id": id, n: 9 }, year(2100)),
    ]);
    const second = await client.submitAndConfirm([put({ "xt/id": id, n: 2 })]);
    const third = await client.submitAndConfirm([remove(id)]);

    const entries = await listed(client.history(id));

    expect(entries).toEqual([
      {
        txId: first.txId,
        txTime: first.txTime,
        validTime: first.txTime,
        contentHash: expect.any(String),
        document: { "xt/id": id, n: 1, at: new Date(1) },
      },
      {
        txId: second.txId,
        txTime: second.txTime,
        validTime: second.txTime,
        contentHash: expect.any(String),
        document: { "xt/id": id, n: 2 },
      },
      { txId: third.txId, txTime: third.txTime, validTime: third.txTime, contentHash: null, document: null },
      {
        txId: first.txId,
        txTime: first.txTime,
        validTime: year(2100),
        contentHash: expect.any(String),
        document: { "xt/id": id, n: 9 },
      },
    ]);
    expect(await listed(client.history(id, { order: "desc" }))).toEqual(entries.toReversed());
    expect(await listed(client.history(id, { documents: false }))).toEqual(
      entries.map(({ document: _, ...entry }) => entry),
    );
    expect(await listed(client.history(id, { txId: second.txId }))).toEqual(
      entries.filter(({ txId }) => txId !== third.txId),
    );
    expect(await listed(client.history(id, { validTime: third.txTime }))).toEqual(entries.slice(0, 3));
    expect(await listed(client.history(id, { start: second.txTime, end: year(2100) }))).toEqual(entries.slice(1, 3));
    expect(await listed(client.history(id, { order: "desc", start: second.txTime, end: first.txTime }))).toEqual([
      entries[1],
    ]);
  });

  it("loses none of the versions that were written at once", async () => {
    const client = node.client();
    const id = node.id("at once");
    const written = await Promise.all(
      Array.from({ length: 60 }, (_, n) => client.submitAndConfirm([put({ "xt/id": id, n })])),
    );

    const entries = await listed(client.history(id));
    const bulk = (await client.histories([id])).get(id);

    expect(entries).toHaveLength(60);
    expect(entries.map(({ txId }) => txId).toSorted((a, b) => a - b)).toEqual(
      written.map(({ txId }) => txId).toSorted((a, b) => a - b),
    );
    expect(bulk).toEqual(entries);
  });

  it.each(["asc", "desc"] as const)("is read page by page where it is long: %s", async (order) => {
    const client = node.client({ answerBytesMax: 300_000 });
    const id = node.id(`long ${order}`);
    const text = "é0123456789".repeat(1_000);
    // Some valid times have several versions, more than one page holds.
    const validTimes = [...Array.from({ length: 60 }, (_, n) => n), ...Array(20).fill(20), ...Array(5).fill(59)];
    for (const [n, at] of validTimes.entries()) {
      await client.submit([put({ "xt/id": id, n, text: `${n} ${text}` }, new Date(Date.UTC(2020, 0, 1, 0, at)))]);
    }
    await client.sync();

    const { value: entries, requests } = await countedRequests(() => listed(client.history(id, { order })));

    const order1 = order === "asc" ? 1 : -1;
    const expected = validTimes
      .map((at, n) => ({ at, n }))
      .toSorted((a, b) => order1 * (a.at - b.at) || order1 * (a.n - b.n))
      .map(({ n }) => n);
    expect(entries.map(({ document }) => document?.n)).toEqual(expected);
    expect(requests).toBeGreaterThan(3);
    expect(entries.every(({ document }) => document?.text === `${document?.n} ${text}`)).toBe(true);
  });

  it("of an unknown or an evicted id is empty", async () => {
    const client = node.client();
    const id = node.id("evicted");
    await client.submitAndConfirm([put({ "xt/id": id, n: 1 })]);
    await client.submitAndConfirm([evict(id)]);

    expect(await listed(client.history(id))).toEqual([]);
    expect(await listed(client.history(node.id("nobody")))).toEqual([]);
    expect(await client.histories([id, node.id("nobody")])).toEqual(new Map());
  });

  it("can be left early", async () => {
    const client = node.client();
    const id = node.id("early");
    for (let n = 0; n < 3; n += 1) await client.submit([put({ "xt/id": id, n })]);

    for await (const entry of client.history(id)) {
      expect(entry.document).toMatchObject({ n: 0 });
      break;
    }
  });
});

withNode("a thousand histories", (node) => {
  it("come in one request, in the order of the ids, each once", async () => {
    const client = node.client();
    const ids = Array.from({ length: 1_000 }, (_, n) => node.id(`many ${n}`));
    for (let round = 0; round < 3; round += 1) await client.submit(ids.map((id, n) => put({ "xt/id": id, n, round })));
    await client.submitAndConfirm([remove(ids[7] ?? "")]);
    const asked = [...ids.toReversed(), ids[3] ?? "", node.id("nobody")];

    const { value: histories, requests } = await countedRequests(() => client.histories(asked));

    expect(requests).toBe(1);
    expect([...histories.keys()]).toEqual(ids.toReversed());
    expect(histories.get(ids[7] ?? "")?.map(({ document }) => document?.round)).toEqual([0, 1, 2, undefined]);
    expect(histories.get(ids[8] ?? "")).toEqual(await listed(client.history(ids[8] ?? "")));
    const newest = await client.histories(ids.slice(0, 2), { order: "desc", documents: false });
    expect([...newest.values()].map((entries) => entries.map((entry) => "document" in entry))).toEqual([
      [false, false, false],
      [false, false, false],
    ]);
  });
});

it("where the bulk query is refused, single histories are read side by side, of one transaction", async () => {
  const entry = (n: string) =>
    `{:xtdb.api/tx-id ${n} :xtdb.api/tx-time #inst "2026-01-01" :xtdb.api/valid-time #inst "2026-01-01T00:00:00Z" :xtdb.api/content-hash #xtdb/id "${"a".repeat(40)}" :xtdb.api/doc {:xt/id "${n}"}}`;
  let under = 0;
  let most = 0;
  const server = await scriptedServer(({ line }, socket) => {
    if (line.startsWith("POST")) {
      reply(socket, {
        status: 400,
        type: edn,
        body: "{:xtdb.error/error-type :illegal-argument :xtdb.error/error-key :fn-not-allowed}",
      });
    } else if (line.includes("latest-completed")) {
      reply(socket, { type: edn, body: '{:xtdb.api/tx-id 99 :xtdb.api/tx-time #inst "2026-01-01T00:00:00Z"}' });
    } else {
      under += 1;
      most = Math.max(most, under);
      const n = /eid=(\d+)/.exec(line)?.[1] ?? "";
      setImmediate(() => {
        under -= 1;
        reply(socket, {
          type: edn,
          body: n === "5" ? "()" : `(${entry(n).replace('"2026-01-01"', '"2026-01-01T00:00:00Z"')})`,
        });
      });
    }
  });
  const client = connectXtdb({ urls: server.url });
  const ids = Array.from({ length: 40 }, (_, n) => `${n}`);

  const first = await client.histories([...ids, "3"]);
  const asked = server.requests.length;
  await client.histories(["1"]);

  expect([...first.keys()]).toEqual(ids.filter((id) => id !== "5"));
  expect(first.get("7")).toMatchObject([{ txId: 7, document: { "xt/id": "7" } }]);
  expect(most).toBeLessThanOrEqual(16);
  const singles = server.requests.filter(({ line }) => line.includes("history=true"));
  expect(singles.every(({ line }) => line.includes("tx-id=99") && line.includes("with-corrections=true"))).toBe(true);
  expect(asked).toBe(42);
  // The node is not asked twice for what it refused.
  expect(server.requests.slice(asked).filter(({ line }) => line.startsWith("POST"))).toEqual([]);
  await client.close();
});
