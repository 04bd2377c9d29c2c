// @module-tag xtdb
// Verifies: values keep their kind through all encodings, beyond what the recordings show.
import { beforeAll, describe, expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { whatIsMissing, type XtdbNode } from "../launch/index.ts";
import { type Encoding, get, post, put } from "./support/ask.ts";
import { sharedNode } from "./support/shared-node.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);

withXtdb("a value", () => {
  let node: XtdbNode;
  beforeAll(async () => {
    node = await sharedNode();
  });

  describe.each<[string, string, string, string]>([
    ["bytes", '#xtdb/base64 "AAH/"', '"AAH/"', '"~#xtdb/base64","AAH/"'],
    ["no bytes", '#xtdb/base64 ""', '""', '"~#xtdb/base64",""'],
    [
      "a moment",
      '#xtdb/instant "2020-01-02T03:04:05.123456789Z"',
      '"2020-01-02T03:04:05.123456789Z"',
      '"~#xtdb/instant","2020-',
    ],
    ["a duration", '#xtdb/duration "PT1M0.5S"', "60.500000000", '"~#xtdb/duration","PT1M0.5S"'],
    [
      "a zoned time",
      '#xtdb/zdt "2020-01-02T03:04:05+01:00[Europe/Paris]"',
      '"2020-01-02T03:04:05+01:00"',
      '"~#xtdb/zdt","2020',
    ],
    ["a date", '#xtdb/local-date "2020-01-02"', '"2020-01-02"', '"~#xtdb/local-date","2020-01-02"'],
    ["a time", '#xtdb/local-time "03:04"', '"03:04:00"', '"~#xtdb/local-time","03:04"'],
    [
      "a date and time",
      '#xtdb/local-date-time "2020-01-02T03:04"',
      '"2020-01-02T03:04:00"',
      '"~#xtdb/local-date-time","2020',
    ],
    ["not a number", "##NaN", '"NaN"', '"~zNaN"'],
    ["infinity", "##-Inf", '"-Infinity"', '"~z-INF"'],
    ["a set", '#{"a"}', '["a"]', '["~#set",["a"]]'],
    ["an integer beyond 64 bits", "123456789012345678901234567890N", "123456789012345678901234567890", '"~n1234'],
    ["a character", "\\newline", '"\\n"', '"~c\\n"'],
  ])("that is %s", (name, edn, json, transit) => {
    it("is printed so that it can be read again", async () => {
      await put(node.url, `{:xt/id ${JSON.stringify(name)} :v ${edn}}`);
      const id = encodeURIComponent(name);

      const answers = await Promise.all(
        (["edn", "json", "transit"] as const).map((accept) => get(node.url, `entity?eid=${id}`, accept)),
      );

      const [asEdn, asJson, asTransit] = answers.map(({ body }) => body);
      expect(asEdn).toContain(`:v ${edn}`);
      expect(asJson).toContain(`"v":${json}`);
      expect(asTransit).toContain(transit);
    });
  });

  it("is the same document whichever of EDN and transit brought it", async () => {
    await put(node.url, '{:xt/id "same" :n 3 :t "x" :k :a/b}');
    const match = '["~:xtdb.api/match","same",["^ ","~:xt/id","same","~:n",3,"~:t","x","~:k","~:a/b"]]';
    const submitted = await post(node.url, "submit-tx", `["^ ","~:tx-ops",[${match}]]`, { send: "transit" });
    const { txId } = JSON.parse(submitted.body);

    const answer = await get(node.url, `tx-committed?tx-id=${txId}&await-tx-id=${txId}`);

    expect(answer.body).toBe('{"txCommitted?":true}');
  });

  it("as a key of an object that is no text becomes one", async () => {
    await put(
      node.url,
      '{:xt/id "keys" :m {1 :a, [1 2] :b, nil :c, #inst "2020-01-01" :d, sym :e, "t" :f, :n/k :g, 1/2 :h}}',
    );

    const answer = await get(node.url, "entity?eid=keys");

    expect(JSON.parse(answer.body).m).toEqual({
      "1": "a",
      "[1 2]": "b",
      "": "c",
      "2020-01-01T00:00:00.000+00:00": "d",
      sym: "e",
      t: "f",
      "n/k": "g",
      "1/2": "h",
    });
  });

  it.each<[string, Encoding, string]>([
    [
      "EDN",
      "edn",
      '{:tx-ops [[:xtdb.api/cas nil {:xt/id "cas EDN" :v 1}] [:xtdb.api/cas {:xt/id "cas EDN" :v 1} {:xt/id "cas EDN" :v 2}]]}',
    ],
    [
      "JSON",
      "json",
      '{"tx-ops":[["cas",null,{"xt/id":"cas JSON","v":1}],["cas",{"xt/id":"cas JSON","v":1},{"xt/id":"cas JSON","v":2}]]}',
    ],
  ])("can be replaced by the old compare-and-set, in %s", async (name, send, body) => {
    const { txId } = JSON.parse((await post(node.url, "submit-tx", body, { send })).body);

    const answer = await get(node.url, `entity?eid=cas%20${name}&await-tx-id=${txId}`);

    expect(JSON.parse(answer.body).v).toBe(2);
  });

  it("that a deletion left is shown in the history", async () => {
    const { txId } = JSON.parse(
      (await post(node.url, "submit-tx", '{:tx-ops [[:xtdb.api/put {:xt/id "gone"}] [:xtdb.api/delete "gone"]]}')).body,
    );

    const answer = await get(
      node.url,
      `entity?eid=gone&history=true&sort-order=asc&with-docs=true&with-corrections=true&await-tx-id=${txId}`,
      "transit",
    );

    expect(answer.status).toBe(200);
    expect(answer.body).toContain("~#xtdb/oid");
  });
});
