// @module-tag xtdb
// @module-tag long
// Verifies: no query goes on without end: what cannot be interrupted is refused, and what slips through ends the process.
import { expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import type { EdnMap } from "../launch/edn-text.ts";
import { whatIsMissing, type XtdbNode } from "../launch/index.ts";
import { get, post, put } from "./support/ask.ts";
import { sharedNode } from "./support/shared-node.ts";
import { startDoorProcess } from "./support/start-door.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);

const query = (node: XtdbNode, text: string, args = "") => post(node.url, "query", `{:query ${text} ${args}}`);

/** A node whose queries may call what others may not: for what slips through. */
const startOpen = (door: EdnMap = {}): Promise<XtdbNode> =>
  startDoorProcess({
    door: { ":any-function?": true, ...door },
    parts: { ":xtdb/query-engine": { ":fn-allow-list": [{ symbol: "clojure.core" }] } },
  });

const backtracking = `{:find [m] :in [s] :where [[(re-pattern "(.*){1,32000}[bc]") p] [(re-find p s) m]]}`;
const digits = `:in-args ["${"9".repeat(4_000_000)}"]`;
const long = `:in-args ["${"a".repeat(60)}"]`;

withXtdb("a query that nothing could interrupt", () => {
  it.each([
    ["a regular expression", backtracking, long],
    ["all matches of one", "{:find [m] :in [p s] :where [[(re-seq p s) m]]}", ':in-args ["a" "b"]'],
    ["a finite sequence of 10^11", "{:find [n] :where [[(range 0 99999999999) r] [(last r) n]]}", ""],
    ["the same, turned round", "{:find [n] :where [[(range 0 99999999999) r] [(reverse r) n]]}", ""],
    [
      "a sequence whose length is an argument",
      "{:find [n] :in [m] :where [[(range m) r] [(count r) n]]}",
      ":in-args [99999999999]",
    ],
    ["a value many times", "{:find [n] :where [[(repeat 99999999999 1) r] [(count r) n]]}", ""],
    [
      "parts that never move on",
      "{:find [n] :in [v] :where [[(partition-all 1 0 v) r] [(count r) n]]}",
      ":in-args [[1 2]]",
    ],
    ["every 0th value", "{:find [n] :in [v] :where [[(take-nth 0 v) r] [(count r) n]]}", ":in-args [[1 2]]"],
    ["text of any width", '{:find [n] :where [[(format "%999999999d" 1) n]]}', ""],
    ["digits of an exponent", "{:find [n] :where [[(rationalize 1E99999999M) n]]}", ""],
    ["digits of an argument's exponent", "{:find [n] :in [m] :where [[(rationalize m) n]]}", ":in-args [1E99999999M]"],
    ["digits of a text", '{:find [n] :where [[(bigdec "1E99999999") m] [(rationalize m) n]]}', ""],
    ["a number of a text's digits", "{:find [n] :in [s] :where [[(bigint s) n]]}", digits],
    ["an integer of them", "{:find [n] :in [s] :where [[(biginteger s) n]]}", digits],
    ["a number of a document's text", '{:find [n] :where [[e :xt/id "unbounded"] [(bigint e) n]]}', ""],
    ["numbers of texts, in :find", "{:find [(bigint e)] :where [[e :xt/id]]}", ""],
    ["an aggregate of as many as it is told", "{:find [(rand 999999999 e)] :where [[e :xt/id]]}", ""],
    ["in :find", "{:find [(count (range 0 99999999999)) e] :where [[e :xt/id]]}", ""],
  ])("is refused: %s", async (_, text, args) => {
    const node = await sharedNode();
    await put(node.url, '{:xt/id "unbounded"}');

    expect((await query(node, text, args)).status).toBe(400);
  });

  it("is refused when its arguments are nested deeper than a stack is", async () => {
    const node = await sharedNode();
    const deep = (levels: number) => `:in-args [${"[".repeat(levels)}${"]".repeat(levels)}]`;
    const text = "{:find [x] :in [x] :where [[(count x) n]]}";

    const answers = await Promise.all([600, 4_000, 100_000].map((levels) => query(node, text, deep(levels))));

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect((await query(node, text, deep(100))).status).toBe(200);
    const json = await get(
      node.url,
      `query?query-edn=${encodeURIComponent(text)}&in-args-json=${"[".repeat(3_000)}${"]".repeat(3_000)}`,
    );
    expect(json.status).toBe(400);
  });

  it("ends the process where the allow-list is off, after its time, for a supervisor to start it again", async () => {
    const node = await startOpen({ ":query-ms-max": 200, ":overrun-ms-max": 200 });

    // On a busy machine its time can be over before it comes to what cannot be stopped: then it is answered, and goes on nowhere.
    const asked = () =>
      query(node, backtracking, long).then(
        () => "answered",
        () => "broken off",
      );
    while ((await asked()) === "answered");

    expect(await node.exited).toBe(4);
  });

  it("ends the process also when its client has hung up", async () => {
    const node = await startOpen({ ":overrun-ms-max": 200 });
    let hasExited = false;
    void node.exited.then(() => {
      hasExited = true;
    });
    /** How many queries the node works on; undefined while it is going or gone. */
    const active = () =>
      get(node.url, "active-queries").then(
        ({ body }) => JSON.parse(body).length as number,
        () => undefined,
      );

    // On a busy machine the client may be gone before its query is in what cannot be stopped: then it ends as any other does.
    while (!hasExited) {
      const client = new AbortController();
      const options = { signal: client.signal };
      const asked = post(node.url, "query", `{:query ${backtracking} ${long}}`, options).catch(() => {});
      await expect.poll(async () => hasExited || (await active()) === 1).toBe(true);
      client.abort();
      await asked;
      await expect.poll(async () => hasExited || (await active()) === 0).toBe(true);
    }

    expect(await node.exited).toBe(4);
  });
});

withXtdb("memory that runs out", () => {
  it("ends the process, whichever of its threads was hit", async () => {
    const node = await startOpen();

    await query(node, '{:find [n] :where [[(format "%999999999d" 1) n]]}').catch(() => {});

    expect(await node.exited).toBe(3);
  });
});
