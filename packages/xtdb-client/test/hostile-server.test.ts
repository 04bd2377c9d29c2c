// Verifies: T15 over a socket, each call ends within its deadline and the cap, with a typed error.
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { connectXtdb, datalog, put, type XtdbErrorCode } from "../src/index.ts";
import { everyCall } from "./support/every-call.ts";
import { heldDeadlines } from "./support/held-deadlines.ts";
import { createRandom, runSeed } from "./support/random.ts";
import { edn, goodReply, reply, type Script, scriptedServer } from "./support/scripted-server.ts";
import { rejected } from "./support/thrown.ts";

const head = (more: string) => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${more}\r\n`;

/** Writes a piece again and again until the client has gone. `onPiece` is told how many there were. */
function endlessly(socket: Socket, piece: string, everyMs: number, onPiece: (count: number) => void = () => {}): void {
  let count = 0;
  const timer = setInterval(() => {
    socket.write(piece);
    count += 1;
    onPiece(count);
  }, everyMs);
  socket.on("close", () => clearInterval(timer));
}

/** What only its deadline ends: each answer goes on as it is once it has called `isUnderWay`. */
const endless: readonly (readonly [string, (socket: Socket, isUnderWay: () => void) => void])[] = [
  ["says nothing", (_, isUnderWay) => isUnderWay()],
  [
    "drips its header",
    (socket, isUnderWay) => {
      socket.write("HTTP/1.1 200 OK\r\nx: ");
      endlessly(socket, "x", 20, (count) => count === 10 && isUnderWay());
    },
  ],
  [
    "drips its body",
    (socket, isUnderWay) => {
      socket.write(head("content-length: 100000\r\n"));
      endlessly(socket, " ", 20, (count) => count === 10 && isUnderWay());
    },
  ],
];

/** What a status call ends with, and a submit, whose outcome is not known once it went out. */
const evils: readonly (readonly [string, Script, XtdbErrorCode, XtdbErrorCode])[] = [
  [
    "never ends its body",
    (_, socket) => {
      socket.write(head("transfer-encoding: chunked\r\n"));
      endlessly(socket, `1000\r\n${" ".repeat(4096)}\r\n`, 1);
    },
    "xtdb/bad-answer",
    "xtdb/unknown-outcome",
  ],
  [
    "announces too much",
    (_, socket) => socket.write(head("content-length: 99999999999\r\n")),
    "xtdb/bad-answer",
    "xtdb/unknown-outcome",
  ],
  [
    "never ends its headers",
    (_, socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      endlessly(socket, `x: ${"y".repeat(4096)}\r\n`, 1);
    },
    "xtdb/unreachable",
    "xtdb/unknown-outcome",
  ],
  ["closes at once", (_, socket) => socket.end(), "xtdb/unreachable", "xtdb/unknown-outcome"],
  ["resets", (_, socket) => socket.resetAndDestroy(), "xtdb/unreachable", "xtdb/unknown-outcome"],
  ["speaks no HTTP", (_, socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"), "xtdb/unreachable", "xtdb/unknown-outcome"],
  [
    "closes within its body",
    (_, socket) => socket.end(`${head("content-length: 100\r\n")}{"version":`),
    "xtdb/bad-answer",
    "xtdb/unknown-outcome",
  ],
  [
    "closes within a chunk",
    (_, socket) => socket.end(`${head("transfer-encoding: chunked\r\n")}ff\r\n{"version":`),
    "xtdb/bad-answer",
    "xtdb/unknown-outcome",
  ],
  [
    "ends a body early that has no length",
    (_, socket) => socket.end(`${head("connection: close\r\n")}{"version":`),
    "xtdb/bad-answer",
    "xtdb/unknown-outcome",
  ],
  ["answers with nothing", (_, socket) => reply(socket, { body: "" }), "xtdb/bad-answer", "xtdb/unknown-outcome"],
  [
    "answers in HTML",
    (_, socket) => reply(socket, { type: "text/html", body: "<p>" }),
    "xtdb/bad-answer",
    "xtdb/unknown-outcome",
  ],
  [
    "answers without a type",
    (_, socket) => reply(socket, { type: "", body: "{}" }),
    "xtdb/bad-answer",
    "xtdb/unknown-outcome",
  ],
  [
    "answers 204",
    (_, socket) => socket.write("HTTP/1.1 204 No Content\r\n\r\n"),
    "xtdb/bad-answer",
    "xtdb/unknown-outcome",
  ],
  [
    "answers in bytes that are no text",
    (_, socket) => reply(socket, { body: Buffer.from([0x22, 0xff, 0x22]) }),
    "xtdb/bad-answer",
    "xtdb/unknown-outcome",
  ],
  [
    "sends two answers",
    (_, socket) => socket.write(`${head("content-length: 2\r\n")}{]${head("content-length: 2\r\n")}{}`),
    "xtdb/bad-answer",
    "xtdb/unknown-outcome",
  ],
  [
    "redirects",
    (_, socket) => reply(socket, { status: 302, headers: "location: http://127.0.0.1:1/\r\n" }),
    "xtdb/bad-answer",
    "xtdb/bad-answer",
  ],
  ["answers 500", (_, socket) => reply(socket, { status: 500, body: "{}" }), "xtdb/server", "xtdb/unknown-outcome"],
  [
    "answers 503 of a proxy",
    (_, socket) => reply(socket, { status: 503, type: "text/html", body: "busy" }),
    "xtdb/server",
    "xtdb/unknown-outcome",
  ],
  [
    "answers 404 of another program",
    (_, socket) => reply(socket, { status: 404, type: "text/html", body: "no" }),
    "xtdb/bad-answer",
    "xtdb/bad-answer",
  ],
];

const answerBytesMax = 262_144;
/** A net for what hangs: nothing in here is decided by a clock, so that it may be far away. */
describe.each(endless)("a server that %s", (_, evil) => {
  it("ends every call at its deadline", async () => {
    const { deadlineMs, pass } = heldDeadlines();
    const underWay = Promise.withResolvers<void>();
    let answers = 0;
    const server = await scriptedServer((_, socket) =>
      evil(socket, () => {
        answers += 1;
        if (answers === 2) underWay.resolve();
      }),
    );
    const client = connectXtdb({ urls: server.url, deadlineMs, answerBytesMax });

    const calls = Promise.all([rejected(client.status()), rejected(client.submit([put({ "xt/id": "a" })]))]);
    await underWay.promise;
    pass();
    const errors = await calls;

    expect(errors.map(({ code }) => code)).toEqual(["xtdb/deadline", "xtdb/unknown-outcome"]);
    expect(server.requests.map(({ line }) => line.split(" ")[0]).toSorted()).toEqual(["GET", "POST"]);
    await client.close();
  });
});

describe.each(evils)("a server that %s", (_, script, reading, submitting) => {
  it("ends every call in time", async () => {
    // Never over: what ends the calls is not their deadline.
    const { deadlineMs } = heldDeadlines();
    const server = await scriptedServer(script);
    const client = connectXtdb({ urls: server.url, deadlineMs, answerBytesMax });

    const errors = await Promise.all([rejected(client.status()), rejected(client.submit([put({ "xt/id": "a" })]))]);

    expect(errors.map(({ code }) => code)).toEqual([reading, submitting]);
    expect(server.requests.filter(({ line }) => line.startsWith("POST"))).toHaveLength(1);
    await client.close();
  });
});

const title = "a few hundred garbled answers over a socket";
it(title, async () => {
  const { seed, replay } = runSeed(title);
  const server = await scriptedServer((request, socket) => {
    const random = createRandom(seed + request.number);
    const bytes: Buffer[] = [];
    goodReply(
      request,
      Object.assign(Object.create(socket), { write: (text: string | Buffer) => bytes.push(Buffer.from(text)) }),
    );
    const whole = Buffer.concat(bytes);
    const at = random.below(whole.length);
    if (random.chance(0.5)) whole[at] = random.below(256);
    socket.end(random.chance(0.5) ? whole.subarray(0, at) : whole);
  });
  const client = connectXtdb({ urls: server.url, answerBytesMax });
  const unexpected: unknown[] = [];

  for (let round = 0; round < 20; round += 1) {
    const outcomes = await Promise.allSettled(everyCall(client).map((call) => call()));
    for (const outcome of outcomes) {
      if (outcome.status === "rejected" && outcome.reason?.name !== "XtdbError") unexpected.push(outcome.reason);
    }
  }

  expect(unexpected, replay).toEqual([]);
  expect(server.requests.length).toBeGreaterThan(250);
  await client.close();
});

it("a long answer is refused before it is whole", async () => {
  let written = 0;
  const server = await scriptedServer((_, socket) => {
    socket.write(head("transfer-encoding: chunked\r\n"));
    const more = (): void => {
      if (socket.destroyed) return;
      written += 65_536;
      socket.write(`10000\r\n${" ".repeat(65_536)}\r\n`, more);
    };
    more();
  });
  const client = connectXtdb({ urls: server.url, answerBytesMax: 1_048_576 });

  const error = await rejected(client.query(datalog`{:find [e] :where [[e :xt/id]]}`));

  expect(error.data.reason).toBe("too large");
  expect(written).toBeLessThan(64 * 1_048_576);
  await client.close();
});

it("after an answer that broke off in silence no submit goes out on its connection", async () => {
  const spoiled = new WeakSet<Socket>();
  const server = await scriptedServer((request, socket) => {
    if (spoiled.has(socket)) socket.resetAndDestroy();
    else if (request.line.includes("/query")) {
      spoiled.add(socket);
      reply(socket, { body: "" });
    } else goodReply(request, socket);
  });
  const client = connectXtdb({ urls: server.url });

  for (let round = 0; round < 10; round += 1) {
    await rejected(client.query(datalog`{:find [e] :where [[e :xt/id]]}`));
    // Long enough for undici to offer the idle connection again.
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    await expect(client.submit([])).resolves.toMatchObject({ txId: 7 });
  }

  await client.close();
});

it("answers in EDN and JSON keep to what was asked for", async () => {
  const server = await scriptedServer((_, socket) => reply(socket, { type: edn, body: '{"xt/id" 1}' }));
  const client = connectXtdb({ urls: server.url });

  expect((await rejected(client.entity("a"))).data.reason).toBe("wrong content type");
  await client.close();
});
