// @module-tag xtdb
// Verifies: no client stores or calls code unless an option allows it (T13).
import { afterAll, beforeAll, expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { whatIsMissing } from "../launch/index.ts";
import { type Encoding, get, post, put } from "./support/ask.ts";
import { type Door, startDoor } from "./support/start-door.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);
const code = "(fn [ctx] [[:xtdb.api/put {:xt/id 1}]])";

withXtdb("transaction functions", () => {
  let node: Door;
  beforeAll(async () => {
    node = await startDoor();
  });
  afterAll(() => node?.stop());

  it.each<[string, Encoding, string]>([
    ["stored", "edn", `{:tx-ops [[:xtdb.api/put {:xt/id :f :xt/fn ${code}}]]}`],
    ["stored under XTDB's inner name", "edn", `{:tx-ops [[:xtdb.api/put {:xt/id :f :crux.db/fn ${code}}]]}`],
    ["stored by the old compare-and-set", "edn", `{:tx-ops [[:xtdb.api/cas nil {:xt/id :f :xt/fn ${code}}]]}`],
    ["stored through a match", "edn", `{:tx-ops [[:xtdb.api/match :f {:xt/id :f :xt/fn ${code}}]]}`],
    ["stored by a list", "edn", `{:tx-ops [(:xtdb.api/put {:xt/id :f :xt/fn ${code}})]}`],
    [
      "stored after other operations",
      "edn",
      `{:tx-ops [[:xtdb.api/put {:xt/id 1}] [:xtdb.api/put {:xt/id :f :xt/fn ${code}}]]}`,
    ],
    ["called", "edn", "{:tx-ops [[:xtdb.api/fn :f 1]]}"],
    [
      "called with its operations",
      "edn",
      "{:tx-ops [[:xtdb.api/fn :f {:xtdb.api/tx-ops [[:xtdb.api/put {:xt/id 1}]]}]]}",
    ],
    ["stored", "json", JSON.stringify({ "tx-ops": [["put", { "xt/id": "f", "xt/fn": code }]] })],
    [
      "stored under XTDB's inner name",
      "json",
      JSON.stringify({ "tx-ops": [["put", { "xt/id": "f", "crux.db/fn": code }]] }),
    ],
    ["called", "json", JSON.stringify({ "tx-ops": [["fn", "f", 1]] })],
    [
      "stored",
      "transit",
      '["^ ","~:tx-ops",[["~:xtdb.api/put",["^ ","~:xt/id","f","~:xt/fn",["~#list",["~$fn",[]]]]]]]',
    ],
    ["called", "transit", '["^ ","~:tx-ops",[["~:xtdb.api/fn","f"]]]'],
  ])("are refused when %s in %s", async (_, send, body) => {
    const answer = await post(node.url, "submit-tx", body, { send });

    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).errorKey).toBe("transaction-functions-not-allowed");
  });

  it.each<[Encoding, string]>([
    ["json", JSON.stringify({ "tx-ops": [["xtdb.api/fn", "f"]] })],
    ["json", JSON.stringify({ "tx-ops": [["crux.tx/fn", "f"]] })],
    ["edn", "{:tx-ops [[:crux.tx/fn :f]]}"],
    ["edn", '{:tx-ops [["fn" :f]]}'],
    ["edn", "{:tx-ops [[xtdb.api/fn :f]]}"],
    ["edn", "{:tx-ops [{:xtdb.api/fn :f}]}"],
  ])("have no other name, in %s %s", async (send, body) => {
    const answer = await post(node.url, "submit-tx", body, { send });

    expect(answer.status).toBe(400);
  });

  it("leave nothing behind when they are refused", async () => {
    const answer = await get(node.url, "latest-submitted-tx");

    expect(answer.status).toBe(404);
  });

  it("do not stand in the way of documents that mention them deeper down", async () => {
    const txId = await put(node.url, '{:xt/id "a" :inner {:xt/fn "text"}}');

    expect(txId).toBe(0);
  });
});

withXtdb("transaction functions that are allowed", () => {
  it("run", async () => {
    const node = await startDoor({ door: { ":transaction-functions?": true } });
    try {
      await post(node.url, "submit-tx", `{:tx-ops [[:xtdb.api/put {:xt/id :f :xt/fn ${code}}] [:xtdb.api/fn :f]]}`);

      const answer = await get(node.url, "entity?eid-edn=1&await-tx-id=0");

      expect([answer.status, answer.body]).toEqual([200, '{"xt/id":1}']);
    } finally {
      await node.stop();
    }
  });
});
