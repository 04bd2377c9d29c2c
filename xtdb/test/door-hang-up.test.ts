// @module-tag xtdb
// @module-tag long
// Verifies: a query ends with its client, with its time and with its node (T15 from the server's side).
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { whatIsMissing, type XtdbNode } from "../launch/index.ts";
import { get, post, put } from "./support/ask.ts";
import { type Door, startDoor, startDoorProcess } from "./support/start-door.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);

/** Four million rows with one at the end: it computes for minutes and sends nothing. */
const crossProduct = "{:find [(count x)] :where [[x :side 1] [y :side 1] [(+ 1 1) z]]}";

async function putEntities(node: Door, count: number): Promise<void> {
  await put(node.url, ...Array.from({ length: count }, (_, at) => `{:xt/id ${at} :side 1}`));
}

async function activeQueries(node: Door): Promise<unknown[]> {
  return JSON.parse((await get(node.url, "active-queries")).body);
}

/** What comes on a connection whose next request is there while its query runs; undefined where the query ended before. */
async function askedTooEarly(node: Door, timeoutMs: number): Promise<string | undefined> {
  const socket = connect(node.port, "127.0.0.1");
  let isAnswered = false;
  socket.once("data", () => {
    isAnswered = true;
  });
  const received = text(socket);
  const query = encodeURIComponent(crossProduct.replace("}", ` :timeout ${timeoutMs}}`));
  socket.write(`GET /_xtdb/query?query-edn=${query} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const runs = async () => (await activeQueries(node)).length === 1;
  await expect.poll(async () => isAnswered || (await runs()), { interval: 20 }).toBe(true);
  socket.write("GET /_xtdb/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const isEarly = await runs();
  const answer = await received;
  return isEarly ? answer : undefined;
}

const running = (node: Door, count: number): Promise<void> =>
  expect.poll(() => activeQueries(node), { interval: 20 }).toHaveLength(count);

withXtdb("a long query", () => {
  let node: Door;
  beforeAll(async () => {
    node = await startDoor({ door: { ":query-ms-max": 3_600_000, ":readings-max": 2 } });
    await putEntities(node, 2_000);
  });
  afterAll(() => node?.stop());

  it("ends when its client hangs up", async () => {
    const client = new AbortController();
    const answer = post(node.url, "query", `{:query ${crossProduct}}`, { signal: client.signal });
    await running(node, 1);

    client.abort();

    await expect(answer).rejects.toThrow("aborted");
    await running(node, 0);
  });

  it("ends when the client's process is gone without a word", async () => {
    const socket = connect(node.port, "127.0.0.1");
    const path = `/_xtdb/query?query-edn=${encodeURIComponent(crossProduct)}`;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await running(node, 1);

    socket.resetAndDestroy();

    await running(node, 0);
  });

  it("ends after its own :timeout", async () => {
    const answer = await post(node.url, "query", `{:query ${crossProduct.replace("}", " :timeout 200}")}}`);

    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.body)).toEqual({ type: "exception", class: "java.util.concurrent.TimeoutException" });
    await running(node, 0);
  });

  it("leaves its connection usable when it ended in time", async () => {
    const socket = connect(node.port, "127.0.0.1");
    const query = encodeURIComponent("{:find [(count x)] :where [[x :side 1] [y :side 1] [(< x 40)]]}");
    const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
    socket.write(get(`/_xtdb/query?query-edn=${query}`));
    await once(socket, "data");

    socket.write(get("/_xtdb/latest-submitted-tx", "Connection: close\r\n"));

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [\s\S]*:xtdb.api\/tx-id 0/);
  });

  it("closes a connection on which the next request came too early to be kept", async () => {
    let received: string | undefined;
    // On a busy machine a short query can be over before the next request is sent.
    for (let timeoutMs = 1_000; received === undefined; timeoutMs *= 2) received = await askedTooEarly(node, timeoutMs);

    expect(received).toMatch(/^HTTP\/1\.1 500 /);
    expect(received).toMatch(/^Connection: close\r$/m);
    expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it("is one of two at most: a third is answered 503, and other requests as ever", async () => {
    const client = new AbortController();
    const two = [1, 2].map(() => post(node.url, "query", `{:query ${crossProduct}}`, { signal: client.signal }));
    const ended = Promise.allSettled(two);
    await running(node, 2);

    const third = await post(node.url, "query", `{:query ${crossProduct}}`);

    expect([third.status, third.headers["retry-after"]]).toEqual([503, "1"]);
    expect((await get(node.url, "status")).status).toBe(200);
    client.abort();
    await ended;
    await running(node, 0);
  });
});

withXtdb("the door's own limit", () => {
  it("ends a query that names no time, or a longer one", async () => {
    const node = await startDoor({ door: { ":query-ms-max": 300 } });
    try {
      await putEntities(node, 2_000);

      const answers = await Promise.all([
        post(node.url, "query", `{:query ${crossProduct}}`),
        post(node.url, "query", `{:query ${crossProduct.replace("}", " :timeout 60000}")}}`),
      ]);

      for (const { status, body } of answers) expect([status, body]).toEqual([500, expect.stringContaining("Timeout")]);
      await running(node, 0);
    } finally {
      await node.stop();
    }
  });
});

/** How a node is told to stop: at SIGINT it does as at SIGTERM, and at the end of its input every other test stops one. */
const stops: readonly (readonly [string, (node: XtdbNode) => Promise<void>])[] = [
  ["SIGTERM", async (node) => void process.kill(node.pid, "SIGTERM")],
  ["SIGINT", async (node) => void process.kill(node.pid, "SIGINT")],
  ["the end of its input", (node) => node.stop()],
];

withXtdb("a node with a long query", () => {
  it.each(process.env.CM_CAMPAIGN === "1" ? stops : stops.slice(0, 1))("stops cleanly at %s", async (_, stop) => {
    const node = await startDoorProcess();
    await putEntities(node, 2_000);
    const answer = post(node.url, "query", `{:query ${crossProduct}}`).catch((error: unknown) => error);
    await running(node, 1);

    await stop(node);

    // A node that has to be killed ends with a signal, and one that cannot end its query with 1.
    expect(await node.exited).toBe(0);
    await answer;
  });
});
