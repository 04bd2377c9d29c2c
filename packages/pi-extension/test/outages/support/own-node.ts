import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ObjectStore } from "@cm/object-model";
import { openXtdbStore } from "@cm/store-xtdb";
import { type FaultProxy, openFaultProxy } from "@cm/testkit";
import { startNode, type XtdbNode } from "@cm/xtdb-node";
import { onTestFinished } from "vitest";
import { openSlowWay, type SlowWay } from "./slow-way.ts";

/** A node of XTDB that comes and goes, and keeps what it has. */
export interface OwnNode {
  /** Stands before the node. */
  readonly proxy: FaultProxy;
  /** Stands before the proxy. */
  readonly way: SlowWay;
  /** For Pi: the node at the end of that way. */
  readonly environment: Readonly<Record<string, string>>;
  start(): Promise<void>;
  /** As a crash would end it. */
  kill(): Promise<void>;
  /** What it has, past the proxy. */
  look<T>(look: (store: ObjectStore) => Promise<T>): Promise<T>;
}

/** It does not run yet. All of it is gone when the test ends. */
export async function ownNode(): Promise<OwnNode> {
  const folder = mkdtempSync(join(tmpdir(), "cm-outage-"));
  const port = await freePort();
  const proxy = await openFaultProxy({ target: { host: "127.0.0.1", port } });
  const way = await openSlowWay(proxy.port);
  const namespace = `outage-${randomUUID()}`;
  let node: XtdbNode | undefined;
  onTestFinished(async () => {
    way.close();
    await proxy.close();
    await node?.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return {
    ...{ proxy, way },
    environment: { CM_XTDB_URL: way.url, CM_XTDB_NAMESPACE: namespace },
    async start() {
      node = await startNode({ quick: true, port, storage: { kind: "rocksdb", folder } });
    },
    async kill() {
      await node?.kill();
    },
    async look(look) {
      const store = openXtdbStore({ urls: `http://127.0.0.1:${port}`, namespace });
      try {
        return await look(store);
      } finally {
        await store.close();
      }
    },
  };
}

/** The node comes back under the same one. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
