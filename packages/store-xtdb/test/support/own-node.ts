import { join } from "node:path";
import type { XtdbClient } from "@cm/xtdb-client";
import { startNode } from "@cm/xtdb-node";
import { openXtdbStore, type XtdbObjectStore } from "../../src/index.ts";
import { connect } from "./live-node.ts";

/** A node of the tests' own on a folder, with a client and a store. */
export interface OwnNode {
  readonly client: XtdbClient;
  readonly store: XtdbObjectStore;
  /** Stops it cleanly and gives the folder free. */
  stop(): Promise<void>;
  /** Whether it runs or not. */
  kill(): Promise<void>;
}

/** Starts a node on a RocksDB folder and waits until it has indexed what is in its log. */
export async function startOn(folder: string): Promise<OwnNode> {
  const node = await startNode({ quick: true, storage: { kind: "rocksdb", folder } });
  const client = connect([node.url]);
  const end = (how: "stop" | "kill") => async () => {
    await client.close();
    await node[how]();
  };
  try {
    await client.sync();
  } catch (error) {
    await end("kill")();
    throw error;
  }
  return { client, store: openXtdbStore({ client }), stop: end("stop"), kill: end("kill") };
}

/** What a node makes anew from its log and documents. */
export const indexFolder = (folder: string): string => join(folder, "indices");
