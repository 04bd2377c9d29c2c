// @module-tag xtdb
// @module-tag long
// Verifies: probes see by the status code whether a node lives and is ready, and Prometheus reads its figures.
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { startNode, whatIsMissing, type XtdbNode } from "../launch/index.ts";
import { ask, get, post } from "./support/ask.ts";
import { temporaryFolder } from "./support/folders.ts";
import { type Door, startDoor } from "./support/start-door.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);

const look = async (node: Door, path: string): Promise<readonly [number, string]> => {
  const { status, body } = await ask(node.url, { path });
  return [status, body];
};

/** Figures by their names, labels included. */
async function figuresOf(node: Door, headers: Record<string, string> = {}): Promise<ReadonlyMap<string, number>> {
  const { body } = await ask(node.url, { path: "/metrics", headers });
  const lines = body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

withXtdb("a node that is well", () => {
  let node: XtdbNode;
  beforeAll(async () => {
    node = await startNode({ quick: true, token: "secret" });
  });
  afterAll(() => node?.stop());

  it("lives and is ready, and says so to who has no token", async () => {
    expect(await look(node, "/healthz")).toEqual([200, "ok\n"]);
    expect(await look(node, "/readyz")).toEqual([200, "ok\n"]);
  });

  it("refuses other methods, pages of the web, and figures without its token", async () => {
    const answers = await Promise.all([
      ask(node.url, { path: "/healthz", method: "POST", body: "" }),
      ask(node.url, { path: "/readyz", headers: { origin: "https://example.org" } }),
      ask(node.url, { path: "/metrics" }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([405, 403, 401]);
  });

  it("counts what it does", async () => {
    const headers = { authorization: "Bearer secret" };
    const submit = (operations: string) =>
      ask(node.url, {
        path: "/_xtdb/submit-tx",
        method: "POST",
        headers: { ...headers, "content-type": "application/edn" },
        body: `{:tx-ops [${operations}]}`,
      });
    await submit('[:xtdb.api/put {:xt/id "counted"}]');
    await submit('[:xtdb.api/match "counted" nil]');
    await ask(node.url, { path: "/_xtdb/sync?timeout=30000", headers });

    const expected = {
      'cm_xtdb_tx_total{outcome="committed"}': 1,
      'cm_xtdb_tx_total{outcome="aborted"}': 1,
      'cm_xtdb_requests_total{path="/_xtdb/submit-tx",status="202"}': 2,
      cm_xtdb_tx_lag: 0,
      cm_xtdb_ingester_failed: 0,
    };
    await expect.poll(async () => Object.fromEntries(await figuresOf(node, headers))).toMatchObject(expected);
  });

  it("prints what Prometheus can read", async () => {
    const { body, headers } = await ask(node.url, { path: "/metrics", headers: { authorization: "Bearer secret" } });

    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    const line =
      /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="([^"\\\n]|\\.)*"(,[a-z]+="([^"\\\n]|\\.)*")*\})? -?[0-9.]+(E-?[0-9]+)?)$/;
    for (const text of body.trimEnd().split("\n")) expect(text).toMatch(line);
  });
});

// One whose index lacks much of the log: `door-rebuild.test.ts`.
withXtdb("a node that is not well", () => {
  it("is not ready while a disk has too little room, and lives", async () => {
    const node = await startDoor({ door: { ":folders": [tmpdir()], ":disk-free-bytes-min": 2 ** 60 } });
    try {
      const [status, text] = await look(node, "/readyz");

      expect([status, text]).toEqual([503, expect.stringMatching(/^The disk of \S+ has only \d+ bytes left\.\n$/)]);
      expect(await look(node, "/healthz")).toEqual([200, "ok\n"]);
      expect((await figuresOf(node)).get(`cm_xtdb_disk_free_bytes{folder="${tmpdir()}"}`)).toBeGreaterThan(0);
    } finally {
      await node.stop();
    }
  });

  it("neither lives nor is ready once it has stopped indexing, though status is 200", async () => {
    const node = await startNode({ quick: true, storage: { kind: "rocksdb", folder: temporaryFolder() } });
    try {
      // As on a disk that is full: no file may grow beyond this. The index grows faster than log and documents.
      await promisify(execFile)("prlimit", ["--pid", `${node.pid}`, "--fsize=2000000"]);
      const attributes = (n: number) => Array.from({ length: 100 }, (_, at) => `:a${at} ${n * 100 + at}`).join(" ");
      const documents = (from: number) =>
        Array.from({ length: 100 }, (_, at) => `[:xtdb.api/put {:xt/id ${from + at} ${attributes(from + at)}}]`);
      for (let from = 0; from < 2_000 && (await look(node, "/healthz"))[0] === 200; from += 100) {
        await post(node.url, "submit-tx", `{:tx-ops [${documents(from).join(" ")}]}`);
        await get(node.url, "sync?timeout=5000");
      }

      await expect.poll(async () => (await look(node, "/healthz"))[0]).toBe(503);
      expect(await look(node, "/healthz")).toEqual([503, "The node stopped indexing; restart it.\n"]);
      const [status, text] = await look(node, "/readyz");
      expect([status, text.split("\n")[0]]).toEqual([503, "The node stopped indexing; restart it."]);
      expect((await get(node.url, "status")).status).toBe(200);
      expect((await figuresOf(node)).get("cm_xtdb_ingester_failed")).toBe(1);
    } finally {
      await node.stop();
    }
  });
});
