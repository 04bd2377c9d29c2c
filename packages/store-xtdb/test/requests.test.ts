// @module-tag xtdb
// Verifies: SSOT 2.8: a commit is one transaction and one request, bulk reads take few.
import { expect, it } from "vitest";
import { toolcall } from "./support/documents.ts";
import { withNode } from "./support/live-node.ts";
import { campaign } from "./support/random.ts";
import { requestsOf } from "./support/requests.ts";

/** Some 5,000 ids fit one question. */
const [objects, requestsMax] = campaign ? [10_000, 12] : [1_200, 3];
const commit = ["submit-tx"];

withNode("requests of the XTDB store", (node) => {
  it("is one for a commit: new objects, under a token, without condition, the same again", async () => {
    const store = node.open();
    let token = "";
    const write = (text: string, expect: string) => async () => {
      const { results } = await store.commit([{ document: toolcall("call", text), expect }]);
      token = results[0]?.token ?? "";
    };

    expect(await requestsOf(write("a", "absent"))).toEqual(commit);
    expect(await requestsOf(write("b", token))).toEqual(commit);
    expect(await requestsOf(write("c", "any"))).toEqual(commit);
    expect(await requestsOf(write("c", "any"))).toEqual(commit);
    expect(await requestsOf(write("d", token))).toEqual(commit);
  });

  it("is one for a commit under a token that another store gave", async () => {
    const [first, second] = [node.open({ namespace: "shared-tokens" }), node.open({ namespace: "shared-tokens" })];
    const document = toolcall(crypto.randomUUID(), "a");
    const { results } = await first.commit([{ document, expect: "absent" }]);

    const token = results[0]?.token ?? "";
    const next = toolcall(document["xt/id"], "b".repeat(5_000));

    expect(await requestsOf(() => second.commit([{ document: next, expect: token }]))).toEqual(commit);
  });

  it("is one for a read of up to 32 current objects, long texts and absent ones among them", async () => {
    const namespace = `newest-${crypto.randomUUID()}`;
    const [writer, reader] = [node.open({ namespace }), node.open({ namespace })];
    const texts = Array.from({ length: 30 }, (_, n) => "text ".repeat(n * n)).concat("long ".repeat(300_000));
    const documents = texts.map((text, n) => toolcall(`call-${n}`, text));
    await writer.commit(documents.map((document) => ({ document, expect: "absent" })));
    const ids = [...documents.map((document) => document["xt/id"]), "absent"];
    const found: unknown[] = [];

    const requests = await requestsOf(async () => {
      found.push(...[...(await reader.getMany(ids)).values()].map((version) => version.document?.content));
    });

    expect(requests).toEqual(["query"]);
    expect(found).toEqual(texts);
  });

  it("is one for an object that was read before, without its text, until another store writes or erases it", async () => {
    const namespace = `known-${crypto.randomUUID()}`;
    const [store, other] = [node.open({ namespace }), node.open({ namespace })];
    const [first, second] = [toolcall("call-1", "text ".repeat(1_000)), toolcall("call-2", "")];
    await other.commit([first, second].map((document) => ({ document, expect: "absent" })));
    const told: unknown[] = [];
    const read = (ids: readonly string[]) => async () => {
      const versions = [...(await store.getMany(ids)).values()];
      told.push(versions.map(({ document, erased }) => document?.content ?? erased?.reason));
    };

    expect(await requestsOf(read(["call-1", "call-2"]))).toEqual(["query"]);
    expect(await requestsOf(read(["call-1"]))).toEqual(["entity"]);
    expect(await requestsOf(read(["call-1", "call-2"]))).toEqual(["query"]);
    await store.commit([{ document: toolcall("call-2", "own"), expect: "any" }]);
    expect(await requestsOf(read(["call-2"]))).toEqual(["entity"]);
    await other.commit([{ document: toolcall("call-2", "theirs"), expect: "any" }]);
    expect(await requestsOf(read(["call-2"]))).toEqual(["entity", "query"]);
    expect(await requestsOf(read(["call-2"]))).toEqual(["entity"]);
    await other.erase(["call-2"], "a reason");
    await read(["call-2"])();
    await read(["call-2"])();

    expect(told).toEqual([
      [first.content, ""],
      [first.content],
      [first.content, ""],
      ["own"],
      ["theirs"],
      ["theirs"],
      ["a reason"],
      ["a reason"],
    ]);
  });

  it("are few for many objects with long texts, read by a store that knows nothing", async () => {
    const namespace = `bulk-${crypto.randomUUID()}`;
    const documents = Array.from({ length: objects }, (_, n) =>
      toolcall(`call_${n}`, n % 100 === 0 ? `${n} `.repeat(600) : `${n}`),
    );
    const writer = node.open({ namespace });
    for (let from = 0; from < documents.length; from += 2_500) {
      const some = documents.slice(from, from + 2_500);
      await writer.commit(some.map((document) => ({ document, expect: "absent" })));
    }
    const ids = documents.map((document) => document["xt/id"]);
    const reader = node.open({ namespace });
    const found: unknown[] = [];

    const requests = await requestsOf(async () => {
      found.push(...[...(await reader.getMany(ids)).values()].map((version) => version.document?.content));
    });

    expect(found).toEqual(documents.map(({ content }) => content));
    expect(requests.length).toBeLessThanOrEqual(requestsMax);
  });
});
