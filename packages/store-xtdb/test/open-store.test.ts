// @module-tag xtdb
// Verifies: what a store says of nodes, names and times that it cannot use, and of data that is not what it wrote.
import { once } from "node:events";
import { createServer } from "node:http";
import { inspect } from "node:util";
import { connectXtdb, evict, put } from "@cm/xtdb-client";
import { expect, it, onTestFinished } from "vitest";
import { openXtdbStore } from "../src/index.ts";
import { toolcall } from "./support/documents.ts";
import { freshNamespace, withNode } from "./support/live-node.ts";

const canary = "qzXkWvJ0pLm3RtY7";
const long = `${canary} `.repeat(300);

it("says that a node cannot be reached, and writes nothing", async () => {
  const store = openXtdbStore({ urls: "http://127.0.0.1:9", deadlineMs: 2_000 });

  await expect(store.getMany(["a"])).rejects.toMatchObject({ code: "store/unavailable" });
  const commit = store.commit([{ document: toolcall("a", "a"), expect: "absent" }]);
  await expect(commit).rejects.toMatchObject({ code: "store/unavailable" });
  await store.close();
});

it("refuses clear text to other machines, and namespaces that could be taken for other ids", () => {
  expect(() => openXtdbStore({ urls: "http://192.0.2.1:3000" })).toThrow(/clear text/);
  for (const namespace of ["a:b", "a b", "a|b", "x".repeat(65), "\ud800"]) {
    expect(() => openXtdbStore({ urls: "http://127.0.0.1:9", namespace })).toThrow(/namespace/);
  }
});

it("says what is wrong with the address of a node, and not the login in it", () => {
  const refused = (urls: string) => {
    try {
      return openXtdbStore({ urls });
    } catch (error) {
      return error;
    }
  };

  const login = refused(`http://cm:${canary}@127.0.0.1:9`);
  expect(login).toMatchObject({ code: "store/unavailable", message: expect.stringContaining("holds credentials") });
  expect(inspect(login)).not.toContain(canary);
  expect(refused("http://127.0.0.1:9/?x=1")).toMatchObject({ message: expect.stringContaining("holds a query") });
});

it("says that a node which stopped indexing must be started again", async () => {
  const server = createServer((request, response) => {
    const isStatus = request.url?.includes("/status") === true;
    response.writeHead(isStatus ? 200 : 500, { "content-type": "application/json" });
    response.end(isStatus ? '{"ingesterFailed?":true}' : '{"type":"exception","class":"java.lang.Exception"}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const store = openXtdbStore({ urls: `http://127.0.0.1:${port}` });

  await expect(store.getMany(["a"])).rejects.toMatchObject({
    code: "store/unavailable",
    message: expect.stringContaining("stopped indexing"),
  });
  await store.close();
});

withNode("a store on a live XTDB node", (node) => {
  it("keeps namespaces apart", async () => {
    const [ours, theirs] = [node.open(), node.open()];
    const write = (text: string) => [{ document: toolcall("call", text), expect: "absent" as const }];
    await ours.commit(write("ours"));
    await theirs.commit(write("theirs"));

    await theirs.erase(["call"], "not needed");

    expect((await ours.find({ type: "toolcall" }, { documents: true })).versions[0]?.document?.content).toBe("ours");
    expect((await theirs.find({ type: "toolcall" })).versions).toEqual([]);
  });

  it("refuses valid times that XTDB cannot keep, and reads at any", async () => {
    const store = node.open();
    const write = (validTime: Date) =>
      store.commit([{ document: toolcall("call", "a"), expect: "any" }], { validTime });

    await expect(write(new Date("1582-12-31T23:59:59.999Z"))).rejects.toMatchObject({ code: "store/limit" });
    await expect(write(new Date(8.64e15))).rejects.toMatchObject({ code: "store/limit" });
    await write(new Date("1583-01-01T00:00:00.000Z"));

    const at = async (ms: number) => (await store.getMany(["call"], { validTime: new Date(ms) })).size;
    expect([await at(-8.64e15), await at(Date.UTC(1583)), await at(8.64e15)]).toEqual([0, 1, 1]);
  });

  it("names an object with changed data, and none of its content", async () => {
    const namespace = freshNamespace();
    const store = node.open({ namespace });
    const name = (id: string) => `in:${namespace}:${id}`;
    const changed = [
      ["call_1", { content: "changed" }],
      ["call_2", { "cm/fields": '{"args":{}' }],
      ["call_3", { identity_hash: "0".repeat(64) }],
      ["call_4", { "cm/token": "none" }],
      ["call_6", { content_hash: "0".repeat(64) }],
    ] as const;
    const client = connectXtdb({ urls: node.urls });
    onTestFinished(() => client.close());
    for (const [id, change] of changed) {
      await store.commit([{ document: toolcall(id, canary), expect: "absent" }]);
      const stored = await client.entity(name(id));
      await client.submitAndConfirm([put({ ...(stored as { "xt/id": string }), ...change })]);

      const error = await store.getMany([id]).catch((thrown: unknown) => thrown);

      expect(error).toMatchObject({ code: "store/corrupt", data: { id } });
      expect(inspect(error, { depth: 9 })).not.toContain(canary);
    }
  });

  it("names an object without its text", async () => {
    const namespace = freshNamespace();
    const store = node.open({ namespace });
    await store.commit([{ document: toolcall("call", long), expect: "absent" }]);
    const stored = await node.client.entity(`in:${namespace}:call`);
    await node.client.submitAndConfirm([evict(String(stored?.["cm/blob"]))]);

    await expect(store.getMany(["call"])).rejects.toMatchObject({ code: "store/corrupt", data: { id: "call" } });
    expect((await store.erase(["call"], "damaged")).erased).toEqual(["call"]);
    expect((await store.getMany(["call"])).get("call")?.erased?.reason).toBe("damaged");
  });
});
