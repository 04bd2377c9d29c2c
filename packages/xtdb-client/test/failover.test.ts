// Verifies: several nodes: reads move on, submits only where the first certainly did not get them, the dead are tried again.
import { expect, it, onTestFinished, vi } from "vitest";
import { clientLimits, connectXtdb } from "../src/index.ts";
import { edn, goodReply, reply, type Script, scriptedServer, tx } from "./support/scripted-server.ts";
import { rejected } from "./support/thrown.ts";

const reset: Script = (_, socket) => socket.resetAndDestroy();

/** An address without a listener. */
async function deadNode(): Promise<{ url: string; port: number }> {
  const server = await scriptedServer(goodReply);
  await server.close();
  return server;
}

it("reads and submits pass over a node that refuses connections", async () => {
  const dead = await deadNode();
  const alive = await scriptedServer(goodReply);
  const client = connectXtdb({ urls: [dead.url, alive.url] });

  await expect(client.status()).resolves.toMatchObject({ version: "1.24.5" });
  await expect(client.submitAndConfirm([])).resolves.toMatchObject({ txId: 7, committed: true });
  await client.close();
});

it("a read that broke off is asked once more, then elsewhere", async () => {
  const broken = await scriptedServer(reset);
  const alive = await scriptedServer(goodReply);
  const client = connectXtdb({ urls: [broken.url, alive.url] });

  await client.status();

  expect([broken.requests.length, alive.requests.length]).toEqual([2, 1]);
  await client.close();
});

it("a single node is asked at most twice", async () => {
  const broken = await scriptedServer(reset);
  const client = connectXtdb({ urls: broken.url });

  const error = await rejected(client.status());

  expect([error.code, broken.requests.length]).toEqual(["xtdb/unreachable", 2]);
  await client.close();
});

it("a submit that may have arrived is not sent to any node again", async () => {
  const broken = await scriptedServer(reset);
  const alive = await scriptedServer(goodReply);
  const client = connectXtdb({ urls: [broken.url, alive.url] });

  const error = await rejected(client.submit([]));

  expect(error.code).toBe("xtdb/unknown-outcome");
  expect([broken.requests.length, alive.requests.length]).toEqual([1, 0]);
  await client.close();
});

it("no node at all: nothing was written, and it says so", async () => {
  const urls = [(await deadNode()).url, (await deadNode()).url];
  const client = connectXtdb({ urls });

  const error = await rejected(client.submit([]));

  expect([error.code, error.data.reason]).toEqual(["xtdb/unreachable", "ECONNREFUSED"]);
  await client.close();
});

it("a name that does not resolve is a node that cannot be reached", async () => {
  const client = connectXtdb({ urls: "http://xtdb.invalid:3000", allowCleartext: true, deadlineMs: 5_000 });

  expect((await rejected(client.submit([]))).code).toMatch(/^xtdb\/(unreachable|deadline)$/);
  await client.close();
});

it("what was written through one node is waited for on the next", async () => {
  const first = await scriptedServer(goodReply);
  const second = await scriptedServer(goodReply);
  const client = connectXtdb({ urls: [first.url, second.url] });
  await client.submit([]);

  await first.close();
  await client.entity("a");

  expect(second.requests.map(({ line }) => line)).toEqual([
    expect.stringMatching(/^GET \/_xtdb\/entity\?eid=a&await-tx-id=7&await-tx-timeout=\d+$/),
  ]);
  await client.close();
});

it.each([true, false])(
  "an answer to a submit that says what became of it (%s) is not asked again",
  async (committed) => {
    const body = tx.replace("}", `, :cm.xtdb/committed? ${committed}}`);
    const server = await scriptedServer((request, socket) =>
      request.line.startsWith("POST") ? reply(socket, { status: 202, type: edn, body }) : goodReply(request, socket),
    );
    const client = connectXtdb({ urls: server.url });

    await expect(client.submitAndConfirm([])).resolves.toMatchObject({ txId: 7, committed });
    await expect(client.submit([])).resolves.toEqual({ txId: 7, txTime: expect.any(Date) });

    expect(server.requests.map(({ line }) => line)).toEqual([
      expect.stringMatching(/^POST \/_xtdb\/submit-tx\?await-tx-timeout=\d+$/),
      "POST /_xtdb/submit-tx",
    ]);
    await client.close();
  },
);

it("a confirmation that was lost is asked of the next node", async () => {
  const first = await scriptedServer((request, socket) =>
    request.line.startsWith("POST") ? goodReply(request, socket) : socket.resetAndDestroy(),
  );
  const second = await scriptedServer(goodReply);
  const client = connectXtdb({ urls: [first.url, second.url] });

  await expect(client.submitAndConfirm([])).resolves.toMatchObject({ txId: 7, committed: true });
  expect(second.requests.map(({ line }) => line)).toEqual([
    expect.stringMatching(/^GET \/_xtdb\/tx-committed\?tx-id=7&await-tx-id=7&await-tx-timeout=\d+$/),
  ]);
  await client.close();
});

it("a missing confirmation leaves the outcome open, with the id to ask for", async () => {
  const server = await scriptedServer((request, socket) =>
    request.line.startsWith("POST") ? goodReply(request, socket) : socket.resetAndDestroy(),
  );
  const client = connectXtdb({ urls: server.url });

  const error = await rejected(client.submitAndConfirm([]));

  expect([error.code, error.data.txId]).toEqual(["xtdb/unknown-outcome", 7]);
  expect(error.message).toContain("isCommitted");
  await client.close();
});

it("a node found dead is passed over for a while, then tried again", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { port, url } = await deadNode();
  const second = await scriptedServer(goodReply);
  const client = connectXtdb({ urls: [url, second.url] });
  await client.status();
  const first = await scriptedServer(goodReply, port);

  await client.status();
  expect([first.requests.length, second.requests.length]).toEqual([0, 2]);

  vi.advanceTimersByTime(clientLimits.nodeRestMs);
  await client.status();
  expect([first.requests.length, second.requests.length]).toEqual([1, 2]);

  await client.status();
  expect([first.requests.length, second.requests.length]).toEqual([2, 2]);
  await client.close();
});

it("when all nodes rest, all are tried", async () => {
  const { port, url } = await deadNode();
  const other = await deadNode();
  const client = connectXtdb({ urls: [url, other.url] });
  await rejected(client.status());

  await scriptedServer(goodReply, port);

  await expect(client.status()).resolves.toMatchObject({ version: "1.24.5" });
  await client.close();
});

it("health tells about each node by itself", async () => {
  const dead = await deadNode();
  const alive = await scriptedServer(goodReply);
  const client = connectXtdb({ urls: [dead.url, alive.url] });

  expect(await client.health()).toEqual([
    {
      url: dead.url,
      reachable: false,
      ingesterFailed: undefined,
      completedTxId: undefined,
      submittedTxId: undefined,
      lag: undefined,
      code: "xtdb/unreachable",
    },
    {
      url: alive.url,
      reachable: true,
      ingesterFailed: false,
      completedTxId: 7,
      submittedTxId: 7,
      lag: 0,
      code: undefined,
    },
  ]);
  await client.close();
});
