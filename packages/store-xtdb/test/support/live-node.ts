import { randomUUID } from "node:crypto";
import { connectXtdb, type XtdbClient } from "@cm/xtdb-client";
import { type StartOptions, startNode, type XtdbNode } from "@cm/xtdb-node";
import { type NodeAddress, withOwnXtdb, withXtdb } from "@cm/xtdb-node/vitest";
import { afterAll, beforeAll } from "vitest";
import { openXtdbStore, type XtdbObjectStore, type XtdbStoreOptions } from "../../src/index.ts";

type StoreChoices = Pick<XtdbStoreOptions, "types" | "now" | "namespace">;

export interface LiveNode {
  readonly urls: readonly string[];
  readonly client: XtdbClient;
  /** A store of its own on the node, unless a namespace is named. */
  open(choices?: StoreChoices): XtdbObjectStore;
}

/** A namespace that no other store has. */
export const freshNamespace = (): string => `test-${randomUUID()}`;

/** `describe` for tests that start nodes themselves. */
export const withNodes = withOwnXtdb;

/** Tests on the node of the run; with options on one of their own, unless CM_XTDB_URL names one for all. */
export function withNode(title: string, tests: (node: LiveNode) => void, options?: StartOptions): void {
  withXtdb(title, (address) => {
    let started: XtdbNode | undefined;
    let client: XtdbClient | undefined;
    const isOwn = options !== undefined && process.env.CM_XTDB_URL === undefined;
    const place = (): NodeAddress => (isOwn ? { urls: [started?.url ?? ""] } : address);
    beforeAll(async () => {
      if (isOwn) started = await startNode({ quick: true, ...options });
      client = connectXtdb(place());
    });
    afterAll(async () => {
      await client?.close();
      await started?.stop();
    });
    tests({
      get urls() {
        return place().urls;
      },
      get client() {
        if (client === undefined) throw new Error("The node is not there yet; open stores within tests.");
        return client;
      },
      open(choices = {}) {
        return openXtdbStore({ client: this.client, namespace: freshNamespace(), ...choices });
      },
    });
  });
}

/** A client of these nodes, with the token that CM_XTDB_TOKEN holds. */
export function connect(urls: readonly string[]): XtdbClient {
  const token = process.env.CM_XTDB_TOKEN;
  return connectXtdb({ urls, ...(token === undefined ? {} : { token }) });
}
