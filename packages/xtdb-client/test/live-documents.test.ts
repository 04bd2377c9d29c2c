// @module-tag xtdb
// Verifies: T12 against the database itself: what goes in as a document comes out as it was.
import { expect, it } from "vitest";
import { datalog, double, type EdnInput, keyword, match, put, Tagged, uuid } from "../src/index.ts";
import { withNode } from "./support/live-node.ts";
import { createRandom, hostileTexts, randomText, runSeed } from "./support/random.ts";

withNode("a document", (node) => {
  it("keeps every kind of value in EDN", async () => {
    const client = node.client();
    const id = node.id("values");
    const document = {
      "xt/id": id,
      text: 'q"\\\n\u0000é\u{1f600}\u2028',
      empty: "",
      yes: true,
      nothing: null,
      integer: -(2 ** 53) + 1,
      double: 0.1,
      tiny: 5e-324,
      huge: 1.7976931348623157e308,
      long: 2n ** 63n - 1n,
      big: -(2n ** 200n),
      instant: new Date("2024-05-01T10:00:00.734Z"),
      early: new Date("1583-01-01T00:00:00.001Z"),
      late: new Date("9999-12-31T23:59:59.999Z"),
      keyword: keyword("a.b/c-d"),
      uuid: uuid("00000000-0000-4000-8000-00000000000a"),
      list: [1, [2, { "deep/key": ["x", null] }]],
      set: new Set(["a", "b"]),
      map: { a: {}, "xt/fn": "data down here" },
    };

    const { txId } = await client.submitAndConfirm([put(document)]);

    expect(await client.entity(id, { txId, format: "edn" })).toEqual(document);
    expect((await client.pull([id], { txId, format: "edn" })).get(id)).toEqual(document);
  });

  it("comes in JSON with the differences that are documented", async () => {
    const client = node.client();
    const id = node.id("json");
    const instant = new Date("2024-05-01T10:00:00.734Z");

    await client.submitAndConfirm([
      put({
        "xt/id": id,
        instant,
        keyword: keyword("a/b"),
        set: new Set([1]),
        long: 2n ** 63n - 1n,
        n: null,
        d: double(3),
      }),
    ]);

    expect(await client.entity(id)).toEqual({
      "xt/id": id,
      instant: "2024-05-01T10:00:00Z",
      keyword: "a/b",
      set: [1],
      long: 9_223_372_036_854_775_807n,
      n: null,
      d: 3,
    });
  });

  it("may be called by any text, and by integers, keywords and UUIDs", async () => {
    const client = node.client();
    const ids = [
      node.id("spaces 'quotes\" + & = # ? / % \\ \u2028 \u{1f600} %41"),
      node.id(""),
      BigInt(`0x${node.id("").slice(0, 8)}`) + 2n ** 61n,
      Number.parseInt(node.id("").slice(0, 8), 16),
      keyword(`id/x${node.id("").slice(0, 8)}`),
      uuid(`${node.id("").slice(0, 8)}-0000-4000-8000-000000000000`),
    ];

    const { txId } = await client.submitAndConfirm(ids.map((id, n) => put({ "xt/id": id, n })));

    for (const [n, id] of ids.entries()) {
      expect(await client.entity(id, { txId })).toMatchObject({ n });
      expect(await client.entityTx(id, { txId })).toMatchObject({ txId });
    }
    const pulled = await client.pull(ids, { txId });
    expect([...pulled.keys()]).toEqual(ids);
    expect([...pulled.values()].map(({ n }) => n)).toEqual([0, 1, 2, 3, 4, 5]);
    expect([...(await client.histories(ids, { txId })).keys()]).toEqual(ids);
  });

  it("matches what was read in EDN, doubles that are whole apart", async () => {
    const client = node.client();
    const id = node.id("match");
    await client.submitAndConfirm([put({ "xt/id": id, at: new Date(1), n: 3, d: 1.5, l: [1, null], w: double(2) })]);
    const read = (await client.entity(id, { format: "edn" })) ?? {};

    const asRead = await client.submitAndConfirm([match(id, read as { "xt/id": string })]);
    const asWritten = await client.submitAndConfirm([match(id, { ...read, "xt/id": id, w: double(2) })]);

    expect([asRead.committed, asWritten.committed]).toEqual([false, true]);
  });

  const title = "holds a few thousand hostile strings, as values and as ids";
  it(title, async () => {
    const { seed, replay } = runSeed(title);
    const random = createRandom(seed);
    const client = node.client();
    const texts = [...hostileTexts, ...Array.from({ length: 3_000 }, () => randomText(random))];
    const documents = texts.map((text, n) => ({ "xt/id": node.id(`${n} ${text}`), text, in: [text] as EdnInput }));

    const { txId } = await client.submitAndConfirm(documents.map((document) => put(document)));

    const ids = documents.map((document) => document["xt/id"]);
    for (const format of ["json", "edn"] as const) {
      const pulled = await client.pull(ids, { txId, format });
      expect([...pulled.values()], replay).toEqual(documents);
    }
    const rows = await client.query(datalog`{:find [e text] :in [[e ...]] :where [[e :text text]]}`, [ids], {
      txId,
      parse: (row) => row as [string, string],
    });
    expect(new Map(rows), replay).toEqual(new Map(documents.map((document) => [document["xt/id"], document.text])));
  });

  it("is found by a hostile value, and by nothing else", async () => {
    const client = node.client();
    const mark = node.id("found");
    const texts = hostileTexts.map((text) => `${mark} ${text}`);
    const { txId } = await client.submitAndConfirm(texts.map((text, n) => put({ "xt/id": `${mark} ${n}`, text })));

    for (const [n, text] of texts.entries()) {
      const rows = await client.query(datalog`{:find [e] :in [t] :where [[e :text t]]}`, [text], { txId });
      expect(rows).toEqual([[`${mark} ${n}`]]);
    }
  });

  it("with an unknown tag comes as it is", async () => {
    expect(new Tagged("uuid", "x")).toEqual(new Tagged("uuid", "x"));
    const rows = await node
      .client()
      .query(datalog`{:find [u] :in [u]}`, [uuid("00000000-0000-4000-8000-00000000000b")], {
        format: "edn",
      });

    expect(rows).toEqual([[new Tagged("uuid", "00000000-0000-4000-8000-00000000000b")]]);
  });
});
