// @module-tag xtdb
// @module-tag long
// Verifies: who may talk to a node (T14), before anything is read from him.
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { startNode, whatIsMissing, type XtdbNode } from "../launch/index.ts";
import { ask, get } from "./support/ask.ts";
import { sharedNode } from "./support/shared-node.ts";
import { startDoor } from "./support/start-door.ts";
import { takenPort } from "./support/taken-port.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);
const status = "/_xtdb/status";

withXtdb("a door on loopback", () => {
  let node: XtdbNode;
  beforeAll(async () => {
    node = await sharedNode();
  });

  it.each(["localhost", "127.0.0.1", "127.8.8.8:1", "[::1]:80", "LOCALHOST:3000"])(
    "serves the host %s",
    async (host) => {
      const answer = await ask(node.url, { path: status, headers: { host } });

      expect(answer.status).toBe(200);
    },
  );

  it.each([
    "evil.example",
    "evil.example:3000",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "10.0.0.1",
    "[::2]",
  ])("refuses the host %s, to which a web page may have pointed its own name", async (host) => {
    const answer = await ask(node.url, { path: status, headers: { host } });

    expect(answer.status).toBe(403);
    expect(answer.body).toContain("Host header");
  });

  it.each(["http://evil.example", "null", "http://localhost:3000"])("refuses the origin %s", async (origin) => {
    const answer = await ask(node.url, { path: status, headers: { origin } });

    expect(answer.status).toBe(403);
  });

  it("refuses what a page loads as an image or a script, which has no origin", async () => {
    const answer = await ask(node.url, { path: status, headers: { "sec-fetch-site": "cross-site" } });

    expect(answer.status).toBe(403);
  });

  it("tells a client nothing from inside", async () => {
    const answers = await Promise.all([
      ask(node.url, { path: "/" }),
      ask(node.url, { path: status, headers: { "x-long": "x".repeat(9_000) } }),
      get(node.url, "entity?eid=%ZZ"),
      get(node.url, "query?query-edn=%7B%3Afind%20%5Be%5D%7D"),
    ]);

    for (const { headers, body } of answers) {
      expect(headers.server).toBeUndefined();
      expect(body).not.toMatch(/\bat [\w.$]+\(|\.clj|\.java:/);
    }
  });
});

withXtdb("a door that was told to bind more than loopback", () => {
  it.each(["0.0.0.0", "::"])("does not start on %s without the option", async (host) => {
    const start = startDoor({ door: { ":host": host } });

    await expect(start).rejects.toThrow(":allow-remote?");
  });

  it("starts with it", async () => {
    const node = await startDoor({ door: { ":host": "0.0.0.0", ":allow-remote?": true } });
    try {
      const answer = await ask(`http://127.0.0.1:${node.port}`, { path: status, headers: { host: "node.example" } });

      expect(answer.status).toBe(200);
    } finally {
      await node.stop();
    }
  });
});

withXtdb("a door with a token", () => {
  const token = "right-token-0123456789";
  const lines: string[] = [];
  let node: XtdbNode;
  beforeAll(async () => {
    node = await startNode({ quick: true, token, log: (line) => lines.push(line) });
  });
  afterAll(() => node?.stop());

  it.each([
    ["none", undefined],
    ["a wrong one", "Bearer wrong-token-0123456789"],
    ["a part", "Bearer right-token"],
    ["an empty one", "Bearer "],
    ["another scheme", `Basic ${token}`],
    ["two words", `Bearer ${token} ${token}`],
  ])("refuses %s", async (_, authorization) => {
    const answer = await ask(node.url, { path: status, headers: authorization === undefined ? {} : { authorization } });

    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
  });

  it.each(["Bearer", "bearer"])("takes the right one after %s", async (scheme) => {
    const answer = await ask(node.url, { path: status, headers: { authorization: `${scheme} ${token}` } });

    expect(answer.status).toBe(200);
  });

  it("asks for it before it reads a body or waits", async () => {
    const socket = connect(node.port, "127.0.0.1");
    // The body never comes.
    socket.write("POST /_xtdb/submit-tx?await-tx-id=9 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n");

    const [part] = await once(socket, "data");
    socket.destroy();

    expect(String(part)).toMatch(/^HTTP\/1\.1 401 /);
  });

  it("asks for it on unknown paths, too", async () => {
    const answer = await ask(node.url, { path: "/nowhere" });

    expect(answer.status).toBe(401);
  });

  it("never logs one", async () => {
    await get(node.url, "status");

    expect(lines.join("\n")).not.toMatch(/(right|wrong)-token/);
  });
});

withXtdb("the options of a door", () => {
  it("are refused when one is unknown, because a misspelt token would be none", async () => {
    await expect(startDoor({ door: { ":tokem": "x" } })).rejects.toThrow("unknown option :tokem");
  });

  it("are refused when one is ill-typed", async () => {
    await expect(startDoor({ door: { ":waits-max": 0 } })).rejects.toThrow(":waits-max");
  });

  it("need a port that is free", async () => {
    const port = await takenPort();

    await expect(startDoor({ door: { ":port": port } })).rejects.toThrow(`port ${port} of 127.0.0.1 is in use`);
  });

  it.each([
    ["no.such.host.invalid", "host no.such.host.invalid has no address"],
    // RFC 5737 keeps this address for documentation: no machine has it.
    ["192.0.2.1", "port 0 of 192.0.2.1 cannot be bound"],
  ])("need a host of this machine, unlike %s", async (host, sentence) => {
    await expect(startDoor({ door: { ":host": host, ":allow-remote?": true } })).rejects.toThrow(sentence);
  });

  it("put a function allow-list where the configuration names none", async () => {
    const node = await startDoor();
    try {
      const answer = await get(
        node.url,
        `query?query-edn=${encodeURIComponent('{:find [x] :where [[(slurp "/etc/hostname") x]]}')}`,
      );

      expect(answer.status).toBe(400);
      expect(answer.body).toContain("fn-not-allowed");
    } finally {
      await node.stop();
    }
  });
});
