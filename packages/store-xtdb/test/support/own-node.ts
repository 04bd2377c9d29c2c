import { join } from "node:path";
import type { XtdbClient } from "@cm/xtdb-client";
import { startNode, type XtdbNode } from "@cm/xtdb-node";
import { onTestFinished } from "vitest";
import { openXtdbStore, type XtdbObjectStore } from "../../src/index.ts";
import { connect } from "./live-node.ts";

/** A node of the test's own on a folder, with a client and a store; all are gone when the test ends. */
export interface OwnNode {
  readonly node: XtdbNode;
  readonly client: XtdbClient;
  readonly store: XtdbObjectStore;
  /** Stops it cleanly and gives the folder free. */
  stop(): Promise<void>;
}

/** Starts a node on a RocksDB folder and waits until it has indexed what is in its log. */
export async function startOn(folder: string): Promise<OwnNode> {
  const node = await startNode({ quick: true, storage: { kind: "rocksdb", folder } });
  const client = connect([node.url]);
  onTestFinished(async () => {
    await client.close();
    await node.kill();
  });
  await client.sync();
  const stop = async () => {
    await client.close();
    await node.stop();
  };
  return { node, client, store: openXtdbStore({ client }), stop };
}

/** What a node makes anew from its log and documents. */
export const indexFolder = (folder: string): string => join(folder, "indices");
