// @module-tag xtdb
// @module-tag long
// Verifies: waits for transactions are bounded in time and number.
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { whatIsMissing, type XtdbNode } from "../launch/index.ts";
import { type Answer, ask, get, post, put } from "./support/ask.ts";
import { sharedNode } from "./support/shared-node.ts";
import { type Door, startDoor } from "./support/start-door.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);
const timedOut = [500, '{"type":"exception","class":"java.util.concurrent.TimeoutException"}'];

withXtdb("a door with short waits", () => {
  let node: Door;
  beforeAll(async () => {
    node = await startDoor({ door: { ":wait-ms": 200, ":wait-ms-max": 400, ":waits-max": 3 } });
    await put(node.url, '{:xt/id "a"}');
  });
  afterAll(() => node?.stop());

  it.each([
    "await-tx?tx-id=999",
    "await-tx?tx-id=999&timeout=99999999",
    "await-tx-time?tx-time=2095-01-01",
    "await-tx-time?tx-time=2095-01-01&timeout=99999999",
    "sync?tx-time=2095-01-01",
    "entity?eid=a&await-tx-id=999",
    "entity?eid=a&await-tx-id=999&await-tx-timeout=99999999",
    "entity-tx?eid=a&await-tx-time=2095-01-01",
    "db?await-tx-id=999",
    "tx-log?await-tx-id=999",
    "tx-committed?tx-id=0&await-tx-id=999",
    "latest-completed-tx?await-tx-id=999",
    "query?query-edn=%7B%3Afind%20%5Be%5D%20%3Awhere%20%5B%5Be%20%3Axt%2Fid%5D%5D%7D&await-tx-id=999",
  ])("ends %s", async (path) => {
    const { status, body } = await get(node.url, path);

    expect([status, body]).toEqual(timedOut);
  });

  it("does not count what needs no wait", async () => {
    const waits = Array.from({ length: 3 }, () => get(node.url, "await-tx?tx-id=999&timeout=400"));

    const answer = await get(node.url, "entity?eid=a&await-tx-id=0");

    expect(answer.status).toBe(200);
    await Promise.all(waits);
  });
});

withXtdb("a door", () => {
  let node: XtdbNode;
  beforeAll(async () => {
    node = await sharedNode();
  });

  it("answers other requests while a hundred wait", async () => {
    const ended: number[] = [];
    const client = new AbortController();
    const question = { path: "/_xtdb/await-tx?tx-id=999&timeout=50000", signal: client.signal };
    const waits = Array.from({ length: 100 }, async () => {
      const { status } = await ask(node.url, question);
      ended.push(status);
    });

    const answers = await Promise.all(Array.from({ length: 20 }, () => get(node.url, "status")));

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(ended).toEqual([]);
    await put(node.url, '{:xt/id "still writes"}');
    expect((await get(node.url, "await-tx?tx-id=999&timeout=1")).status).toBe(500);
    expect(ended).toEqual([]);
    client.abort();
    await Promise.allSettled(waits);
  });

  it("says at once that tx-committed is ahead of its index", async () => {
    const answer = await get(node.url, "tx-committed?tx-id=99999");

    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({
      errorType: "node-out-of-sync",
      requested: { "xtdb.api/tx-id": 99999 },
    });
  });

  it("wakes a wait when its transaction is indexed", async () => {
    const { txId } = JSON.parse((await get(node.url, "latest-submitted-tx")).body);
    const wait = get(node.url, `await-tx?tx-id=${txId + 1}&timeout=30000`);

    await put(node.url, '{:xt/id "awaited"}');

    expect(JSON.parse((await wait).body).txId).toBe(txId + 1);
  });
});

withXtdb("a door whose submits wait", () => {
  const cases = [
    { says: "committed", condition: "nil", timeout: "&await-tx-timeout=30000", committed: true },
    { says: "not committed", condition: '{:xt/id "other"}', timeout: "&await-tx-timeout=30000", committed: false },
    { says: "queued alone, where no wait was asked for", condition: "nil", timeout: "", committed: undefined },
  ];

  it.each(cases)("says $says", async ({ says, condition, timeout, committed }) => {
    const { url } = await sharedNode();
    const body = `{:tx-ops [[:xtdb.api/match "${says}" ${condition}] [:xtdb.api/put {:xt/id "${says}"}]]}`;

    const answer = await post(url, `submit-tx?x=1${timeout}`, body, { accept: "edn" });

    const said = /:cm\.xtdb\/committed\? (true|false)/.exec(answer.body)?.[1];
    expect([answer.status, said]).toEqual([202, committed === undefined ? undefined : String(committed)]);
  });

  it("say that it is queued where there is no room to wait", async () => {
    const node = await startDoor({ door: { ":waits-max": 1 } });
    onTestFinished(() => node.stop());
    const body = (n: number) => `{:tx-ops [[:xtdb.api/put {:xt/id ${n}}]]}`;

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post(node.url, "submit-tx?await-tx-timeout=30000", body(n))),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202));
    expect(new Set(answers.map(({ body }) => JSON.parse(body).txId)).size).toBe(20);
  });

  it("queue nothing for a wait that is no time", async () => {
    const { url } = await sharedNode();
    const before = (await get(url, "latest-submitted-tx")).body;

    const answer = await post(url, "submit-tx?await-tx-timeout=soon", '{:tx-ops [[:xtdb.api/put {:xt/id "soon"}]]}');

    expect(answer.status).toBe(400);
    expect((await get(url, "latest-submitted-tx")).body).toBe(before);
  });
});

withXtdb("a door with three places to wait", () => {
  it("answers 503 to a wait too many, and says when to come again", async () => {
    const node = await startDoor({ door: { ":waits-max": 3 } });
    onTestFinished(() => node.stop());
    const client = new AbortController();
    const question = { path: "/_xtdb/await-tx?tx-id=999&timeout=50000", signal: client.signal };
    const answers: Answer[] = [];
    const waits = Array.from({ length: 12 }, async () => answers.push(await ask(node.url, question)));

    await expect.poll(() => answers.length).toBe(9);
    client.abort();
    await Promise.allSettled(waits);

    expect(answers.map(({ status, headers }) => [status, headers["retry-after"]])).toEqual(Array(9).fill([503, "1"]));
  });
});

withXtdb("waits of clients that hung up", () => {
  it("make room for others", async () => {
    const node = await startDoor({ door: { ":waits-max": 2 } });
    const client = new AbortController();
    const question = { path: "/_xtdb/await-tx?tx-id=999&timeout=50000", signal: client.signal };
    /** Ends when the client hangs up; tries again while the short waits below take its place. */
    const long = async (): Promise<void> => {
      while (!client.signal.aborted) await ask(node.url, question).catch(() => undefined);
    };
    const gone = [long(), long()];
    const short = () => get(node.url, "await-tx?tx-id=999&timeout=1");
    try {
      await expect.poll(async () => (await short()).status).toBe(503);

      client.abort();

      await expect.poll(async () => (await short()).status).toBe(500);
    } finally {
      await Promise.all(gone);
      await node.stop();
    }
  });
});
