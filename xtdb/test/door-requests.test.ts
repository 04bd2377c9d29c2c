// @module-tag xtdb
// Verifies: what is wrong with a request is said with a fitting status, and nothing of it is stored.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { whatIsMissing, type XtdbNode } from "../launch/index.ts";
import { ask, type Encoding, get, post, put } from "./support/ask.ts";
import { runNode } from "./support/running.ts";
import { sharedNode } from "./support/shared-node.ts";
import { type Door, startDoor } from "./support/start-door.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);

withXtdb("a door", () => {
  let node: XtdbNode;
  let newest: number;
  beforeAll(async () => {
    node = await sharedNode();
    newest = await put(node.url, '{:xt/id "a"}');
  });

  it.each([
    "entity?eid=a&valid-time=yesterday",
    "entity?eid=a&valid-time=",
    "entity?eid=a&valid-time=2020-02-30",
    "entity?eid=a&valid-time=2020-01-01T00:00:00+01:00",
    "entity?eid=a&tx-id=1.5",
    "entity?eid=a&tx-id=99999999999999999999",
    "entity?eid=a&await-tx-timeout=-1&await-tx-id=0",
    "entity?eid=a&eid=b",
    "entity?eid=a&history=true",
    "entity?eid=a&history=true&sort-order=up",
    "entity?eid=a&history=perhaps",
    "entity?eid-edn=%22",
    "entity?eid-edn=nil",
    "entity?eid-json=%7B",
    "entity?eid=%ZZ",
    "entity",
    "entity-tx",
    "tx-committed",
    "await-tx",
    "await-tx-time",
    "tx-log?after-tx-id=x",
    "tx-log?with-ops%3F=maybe",
    "query",
    "query?query-edn=%7B",
    "query?query-edn=%7B%3Afind%20%5Be%5D%7D&in-args-json=7",
    "query?query-edn=%7B%3Afind%20%5Be%5D%20%3Ain%20%5Be%5D%7D",
  ])("answers %s with 400", async (path) => {
    const answer = await get(node.url, path);

    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toBeTypeOf("object");
  });

  it.each(["HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "BREW"])("answers %s with 405", async (method) => {
    const answer = await ask(node.url, { path: "/_xtdb/entity?eid=a", method });

    expect([answer.status, answer.body]).toEqual([405, ""]);
  });

  it("answers unknown paths with 404, and its own in no other spelling", async () => {
    const paths = ["/", "/_xtdb", "/_xtdb/", "/_xtdb/status/", "/_XTDB/status"];

    const answers = await Promise.all(paths.map((path) => ask(node.url, { path: encodeURI(path) })));

    for (const { status, body } of answers) expect([status, body]).toEqual([404, ""]);
  });

  it("answers a URL of 9,000 bytes with 414, and serves one of 7,900", async () => {
    const long = await get(node.url, `entity?eid=${"a".repeat(9_000)}`);
    const short = await get(node.url, `entity?eid=${"a".repeat(7_900)}`);

    expect([long.status, short.status]).toEqual([414, 404]);
  });

  it.each<[string, Encoding, string | Buffer]>([
    ["text that is not UTF-8", "edn", Buffer.from('{:tx-ops [[:xtdb.api/put {:xt/id "\xff"}]]}', "latin1")],
    ["text that is not UTF-8", "json", Buffer.from('{"tx-ops":[["put",{"xt/id":"\xff"}]]}', "latin1")],
    ["code to evaluate", "edn", "{:tx-ops [[:xtdb.api/put {:xt/id #=(+ 1 1)}]]}"],
    ["an unknown tag", "edn", '{:tx-ops [[:xtdb.api/put {:xt/id #java.io.File "a"}]]}'],
    ["too many brackets", "edn", "[".repeat(200_000)],
    ["too many brackets", "json", "[".repeat(200_000)],
    ["too many brackets", "transit", "[".repeat(200_000)],
    [
      "a document nested too deep to index",
      "edn",
      `{:tx-ops [[:xtdb.api/put {:xt/id 1 :a ${"[".repeat(900)}${"]".repeat(900)}}]]}`,
    ],
    ["half a surrogate", "edn", '{:tx-ops [[:xtdb.api/put {:xt/id "\\ud800"}]]}'],
    ["half a surrogate", "json", '{"tx-ops":[["put",{"xt/id":"a","t":["\\udc00\\ud800"]}]]}'],
    ["half a surrogate in a key", "json", '{"tx-ops":[["put",{"xt/id":"a","\\ud800":1}]]}'],
    ["half a surrogate", "transit", '["^ ","~:tx-ops",[["~:xtdb.api/put",["^ ","~:xt/id","\\ud800"]]]]'],
    ["an operation that is a number", "edn", "{:tx-ops [7]}"],
    ["an operation that is nothing", "json", '{"tx-ops":[null]}'],
    ["operations in a list", "edn", "{:tx-ops ([:xtdb.api/put {:xt/id 1}])}"],
    ["a date that is none", "json", '{"tx-ops":[["put",{"xt/id":1},"yesterday"]]}'],
    ["an option that is ill-typed", "edn", '{:tx-ops [] :xtdb.api/submit-tx-opts {:xtdb.api/tx-time "now"}}'],
    ["nothing", "edn", ""],
    ["half of it", "edn", "{:tx-ops [[:xtdb.api/put {:xt/id 1}]]"],
    ["noise", "transit", randomBytes(64)],
  ])("answers a submit with %s in %s with 400", async (_, send, body) => {
    const answer = await post(node.url, "submit-tx", body, { send });

    expect(answer.status).toBe(400);
  });

  it("has stored nothing of all that", async () => {
    const [submitted, status] = await Promise.all([get(node.url, "latest-submitted-tx"), get(node.url, "status")]);

    expect(JSON.parse(submitted.body)).toEqual({ txId: newest });
    expect(JSON.parse(status.body)["ingesterFailed?"]).toBe(false);
  });

  it("stores whole surrogate pairs and all other characters", async () => {
    const text = '\u0000\u0001\u007f\u0085\u2028\ufeff\uffff😀é"\\\n';
    const id = JSON.stringify(text);
    await put(node.url, `{:xt/id ${id} :text ${id}}`);

    const answer = await get(node.url, `entity?eid=${encodeURIComponent(text)}`);

    expect(JSON.parse(answer.body)).toEqual({ "xt/id": text, text });
  });
});

withXtdb("a door that takes a million bytes", () => {
  let node: Door;
  beforeAll(async () => {
    node = await startDoor({ door: { ":request-bytes-max": 1_000_000 } });
  });
  afterAll(() => node?.stop());

  const submit = (characters: number): string =>
    `{:tx-ops [[:xtdb.api/put {:xt/id 1 :text "${"x".repeat(characters)}"}]]}`;

  it("takes less", async () => {
    const answer = await post(node.url, "submit-tx", submit(999_000));

    expect(answer.status).toBe(202);
  });

  it("answers 413 to more", async () => {
    const answer = await post(node.url, "submit-tx", submit(1_000_000));

    expect(answer.status).toBe(413);
    expect(answer.body).toContain("1000000 bytes");
  });

  it("answers 413 to more of unknown length", async () => {
    const headers = { "content-type": "application/edn", "transfer-encoding": "chunked" };

    const answer = await ask(node.url, { path: "/_xtdb/query", method: "POST", headers, body: submit(1_000_000) });

    expect(answer.status).toBe(413);
  });
});

/** As much as needs a node of its own, in a campaign. */
const isCampaign = process.env.CM_CAMPAIGN === "1";
const megabytes = isCampaign ? 40 : 8;

withXtdb("a large commit", () => {
  it(`of ${megabytes} MB is taken, and read back whole`, async () => {
    const node = isCampaign ? await runNode({ heapMiB: 768 }) : await sharedNode();
    const part = "0123456789abcdef".repeat(62_500);
    await put(node.url, ...Array.from({ length: megabytes }, (_, id) => `{:xt/id "large-${id}" :large "${part}"}`));

    const answer = await post(node.url, "query", "{:query {:find [(pull e [*])] :where [[e :large]]}}");

    expect(JSON.parse(answer.body).map(([{ large }]: [{ large: string }]) => large === part)).toEqual(
      Array(megabytes).fill(true),
    );
  });
});
