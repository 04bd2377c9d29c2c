// @module-tag xtdb
// @module-tag long
// Verifies: clients that send half a body keep a connection and nothing else, and not for long.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { whatIsMissing } from "../launch/index.ts";
import { ask, get, put } from "./support/ask.ts";
import { sharedNode } from "./support/shared-node.ts";
import { type Door, startDoor } from "./support/start-door.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);

/** The head of a submit that promises more than it sends. */
async function halfSent(node: Door, bytes = 3): Promise<Socket> {
  const socket = connect(node.port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    `POST /_xtdb/submit-tx HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/edn\r\nContent-Length: 1000000\r\n\r\n${"x".repeat(bytes)}`,
  );
  return socket;
}

withXtdb("half-sent bodies", () => {
  let node: Door | undefined;
  afterEach(() => node?.stop());

  it("of 300 clients stop no other client", async () => {
    node = await startDoor({ door: { ":body-ms-max": 3_600_000 } });
    const running = node;
    const sockets = await Promise.all(Array.from({ length: 300 }, () => halfSent(running)));

    expect((await get(running.url, "status")).status).toBe(200);
    expect(await put(running.url, '{:xt/id "beside"}')).toBe(0);
    for (const socket of sockets) socket.destroy();
  });

  it("are answered 408 when their time is over, however they drip, and their connection is closed", async () => {
    node = await startDoor({ door: { ":body-ms-max": 300 } });
    const socket = await halfSent(node);
    const dripping = setInterval(() => socket.write("x"), 20);
    socket.on("error", () => {});

    try {
      const answer = await text(socket);
      expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*did not come to its end within 300 ms/);
      expect(answer).toMatch(/^Connection: close\r$/m);
    } finally {
      clearInterval(dripping);
    }
    expect(await put(node.url, '{:xt/id "after"}')).toBe(0);
  });

  it("are answered 503 when they hold too much together, and what is held is given back", async () => {
    node = await startDoor({ door: { ":bodies-bytes-max": 100_000 } });
    const first = await halfSent(node, 90_000);
    first.on("error", () => {});
    const { url } = node;
    const held = async () => /^cm_xtdb_body_bytes_held (\d+)$/m.exec((await ask(url, { path: "/metrics" })).body)?.[1];
    await expect.poll(held).toBe("90000");

    const second = await halfSent(node, 90_000);
    expect(await text(second)).toMatch(/^HTTP\/1\.1 503 [\s\S]*Too many bodies/);
    first.destroy();

    await expect.poll(held).toBe("0");
    expect(await put(url, `{:xt/id "later" :text "${"y".repeat(50_000)}"}`)).toBe(0);
  });

  it("in many small pieces are put together as they were", async () => {
    const { url, port } = await sharedNode();
    const body = '{:tx-ops [[:xtdb.api/put {:xt/id "pieces" :text "é€😀"}]]}';
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.setNoDelay(true);
    socket.write(
      `POST /_xtdb/submit-tx HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/edn\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    for (const byte of Buffer.from(body))
      socket.write(Buffer.concat([Buffer.from("1\r\n"), Buffer.of(byte), Buffer.from("\r\n")]));
    socket.write("0\r\n\r\n");

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 202 /);
    await get(url, "sync?timeout=30000");
    expect(JSON.parse((await get(url, "entity?eid-edn=%22pieces%22")).body)).toMatchObject({ text: "é€😀" });
  });
});
