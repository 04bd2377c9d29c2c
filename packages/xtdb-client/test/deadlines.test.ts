// @module-tag process
// Verifies: each call ends at its deadline or with its signal, queues included, and leaves nothing behind.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { clientLimits, connectXtdb, put } from "../src/index.ts";
import { everyCall } from "./support/every-call.ts";
import { heldDeadlines } from "./support/held-deadlines.ts";
import { goodReply, type Script, scriptedServer } from "./support/scripted-server.ts";
import { rejected, thrown } from "./support/thrown.ts";

const silent: Script = () => {};

describe("a signal", () => {
  it("that fired before ends every call before anything is sent", async () => {
    const server = await scriptedServer(goodReply);
    const client = connectXtdb({ urls: server.url });
    const signal = AbortSignal.abort();

    const errors = await Promise.all([
      rejected(client.status({ signal })),
      rejected(client.submit([], { signal })),
      rejected(client.entity("a", { signal })),
      rejected(client.pull(["a"], { signal })),
      rejected(Promise.resolve(client.history("a", { signal })[Symbol.asyncIterator]().next())),
    ]);

    expect(errors.map(({ code }) => code)).toEqual(Array(5).fill("xtdb/aborted"));
    expect(server.requests).toEqual([]);
    await client.close();
  });

  it("ends a read, and the connection with it", async () => {
    const gone = Promise.withResolvers<void>();
    const server = await scriptedServer((_, socket) => {
      socket.on("close", () => gone.resolve());
      controller.abort();
    });
    const controller = new AbortController();
    const client = connectXtdb({ urls: server.url });

    const error = await rejected(client.status({ signal: controller.signal }));
    await gone.promise;

    expect(error.code).toBe("xtdb/aborted");
    await client.close();
  });

  it("that fires after a submit went out leaves its outcome open", async () => {
    const controller = new AbortController();
    const server = await scriptedServer(() => controller.abort());
    const client = connectXtdb({ urls: server.url });

    const error = await rejected(client.submit([put({ "xt/id": "a" })], { signal: controller.signal }));

    expect([error.code, error.data.reason]).toEqual(["xtdb/unknown-outcome", "aborted"]);
    await client.close();
  });

  it("keeps no listener on a signal that lives on", async () => {
    const server = await scriptedServer(goodReply);
    const client = connectXtdb({ urls: server.url });
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = Object.assign(Object.create(signal), {
      addEventListener: () => {
        listeners += 1;
      },
      removeEventListener: () => {
        listeners -= 1;
      },
    });
    Object.defineProperty(counted, "aborted", { value: false });

    for (let call = 0; call < 20; call += 1) await client.status({ signal: counted });

    expect(listeners).toBe(0);
    await client.close();
  });
});

describe("a deadline", () => {
  it("of the client holds where a call names none, and its own where it does", async () => {
    const server = await scriptedServer(silent);
    const client = connectXtdb({ urls: server.url, deadlineMs: 3_600_000 });

    expect((await rejected(client.status({ deadlineMs: 30 }))).code).toBe("xtdb/deadline");
    const hasty = connectXtdb({ urls: server.url, deadlineMs: 30 });
    expect((await rejected(hasty.status())).code).toBe("xtdb/deadline");
    await Promise.all([client.close(), hasty.close()]);
  });

  it("ends every kind of call", async () => {
    const { deadlineMs, pass } = heldDeadlines();
    const submitted = Promise.withResolvers<void>();
    let submits = 0;
    const server = await scriptedServer(({ line }) => {
      if (line.includes("/submit-tx")) submits += 1;
      if (submits === 2) submitted.resolve();
    });
    const client = connectXtdb({ urls: server.url, deadlineMs });

    const calls = Promise.allSettled(everyCall(client).map((call) => call()));
    await submitted.promise;
    pass();
    const outcomes = await calls;

    const codes = outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason.code : "none"));
    expect(codes.toSorted()).toEqual([
      "none", // health, which tells instead
      ...Array(everyCall(client).length - 3).fill("xtdb/deadline"),
      "xtdb/unknown-outcome",
      "xtdb/unknown-outcome",
    ]);
    await client.close();
  });

  it.each([0, -1, Number.NaN, clientLimits.deadlineMsMax + 1, Number.POSITIVE_INFINITY])(
    "is not %d",
    async (deadlineMs) => {
      expect(thrown(() => connectXtdb({ urls: "http://127.0.0.1:1", deadlineMs })).code).toBe("xtdb/invalid");
      const client = connectXtdb({ urls: "http://127.0.0.1:1" });
      expect((await rejected(client.status({ deadlineMs }))).code).toBe("xtdb/invalid");
      await client.close();
    },
  );

  it("goes to the node, a little shorter, with everything that waits", async () => {
    const server = await scriptedServer(goodReply);
    const client = connectXtdb({ urls: server.url, deadlineMs: 10_000 });

    await client.awaitTx(7);
    await client.sync();
    await client.isCommitted(7);
    await client.entity("a", { txId: 7 });

    const patience = server.requests.map(({ line }) => Number(/timeout=(\d+)/.exec(line)?.[1]));
    expect(patience.every((ms) => ms > 8_000 && ms <= 9_750)).toBe(true);
    expect(server.requests.map(({ line }) => line.replace(/timeout=\d+/, "timeout=T"))).toEqual([
      "GET /_xtdb/await-tx?tx-id=7&timeout=T",
      "GET /_xtdb/sync?timeout=T",
      "GET /_xtdb/tx-committed?tx-id=7&await-tx-id=7&await-tx-timeout=T",
      "GET /_xtdb/entity?eid=a&tx-id=7&await-tx-id=7&await-tx-timeout=T",
    ]);
    await client.close();
  });
});

it("a call that is over while it queues for a connection is never sent", async () => {
  const silentAtFirst = Promise.withResolvers<void>();
  let under = 0;
  const server = await scriptedServer((request, socket) => {
    under += 1;
    if (under === clientLimits.connectionsPerNodeMax) silentAtFirst.resolve();
    void allOver.promise.then(() => goodReply(request, socket));
  });
  const allOver = Promise.withResolvers<void>();
  const client = connectXtdb({ urls: server.url });
  const first = Array.from({ length: clientLimits.connectionsPerNodeMax }, () => client.status());
  await silentAtFirst.promise;

  const late = await Promise.all([
    ...Array.from({ length: 20 }, () => rejected(client.status({ deadlineMs: 20 }))),
    rejected(client.submit([], { deadlineMs: 20 })),
  ]);
  allOver.resolve();
  await Promise.all(first);
  await client.status();

  expect(new Set(late.map(({ code }) => code))).toEqual(new Set(["xtdb/deadline"]));
  expect(server.requests).toHaveLength(clientLimits.connectionsPerNodeMax + 1);
  expect(server.connections).toBe(clientLimits.connectionsPerNodeMax);
  await client.close();
});

describe("of requests that wait at the node", () => {
  it("at most 32 are under way, the others queue within their deadline, and reads pass by", async () => {
    const waiting = new Set<() => void>();
    const full = Promise.withResolvers<void>();
    let most = 0;
    const server = await scriptedServer((request, socket) => {
      if (!request.line.includes("await-tx")) {
        goodReply(request, socket);
        return;
      }
      const answer = () => {
        waiting.delete(answer);
        goodReply(request, socket);
      };
      waiting.add(answer);
      most = Math.max(most, waiting.size);
      if (waiting.size === clientLimits.awaitsPerNodeMax) full.resolve();
    });
    const client = connectXtdb({ urls: server.url });

    const waits = Array.from({ length: 100 }, (_, n) => client.awaitTx(1_000 + n));
    await full.promise;
    const hasty = await rejected(client.awaitTx(5_000, { deadlineMs: 30 }));
    const given = new AbortController();
    const aborted = rejected(client.awaitTx(5_001, { signal: given.signal }));
    given.abort();
    const status = await client.status();
    const done = Promise.all(waits);
    let over = false;
    void done.then(() => {
      over = true;
    });
    while (!over) {
      for (const answer of [...waiting]) answer();
      await new Promise((resolve) => setImmediate(resolve));
    }

    expect(most).toBe(clientLimits.awaitsPerNodeMax);
    expect([hasty.code, (await aborted).code, status.version]).toEqual(["xtdb/deadline", "xtdb/aborted", "1.24.5"]);
    expect(server.requests.filter(({ line }) => /tx-id=500/.test(line))).toEqual([]);
    await client.close();
  });
});

describe("close", () => {
  it("lets what is under way end, and refuses the rest", async () => {
    const arrived = Promise.withResolvers<() => void>();
    const server = await scriptedServer((request, socket) => arrived.resolve(() => goodReply(request, socket)));
    const client = connectXtdb({ urls: server.url });
    const status = client.status();
    const answer = await arrived.promise;

    const closing = client.close();
    const late = await rejected(client.status());
    answer();

    await expect(status).resolves.toMatchObject({ version: "1.24.5" });
    await closing;
    await client.close();
    expect(late.code).toBe("xtdb/closed");
  });

  it("ends all connections", async () => {
    const ended: Promise<unknown>[] = [];
    const seen = new Set<unknown>();
    const server = await scriptedServer((request, socket) => {
      if (!seen.has(socket)) ended.push(once(socket, "close"));
      seen.add(socket);
      goodReply(request, socket);
    });
    const client = connectXtdb({ urls: server.url });
    await Promise.all([client.status(), client.status(), client.status()]);

    await client.close();

    expect(ended.length).toBeGreaterThan(0);
    await Promise.all(ended);
  });

  it("is not needed for a process to end", async () => {
    const server = await scriptedServer(goodReply);
    const program = new URL("./support/leaves-it-open.ts", import.meta.url).pathname;

    const { stdout } = await promisify(execFile)(process.execPath, [program, server.url]);

    expect(stdout).toBe("1.24.5\n");
  });
});
