import { randomUUID } from "node:crypto";
import { type StartOptions, startNode, type XtdbNode } from "@cm/xtdb-node";
import { withOwnXtdb, withXtdb } from "@cm/xtdb-node/vitest";
import { afterAll, beforeAll } from "vitest";
import { connectXtdb, type XtdbClient, type XtdbOptions } from "../../src/index.ts";

export interface LiveNode {
  readonly url: string;
  /** A client that is closed after the tests of the file. */
  client(options?: Partial<XtdbOptions>): XtdbClient;
  /** An id that no other run has used. */
  id(name: string): string;
}

/** Tests on the node of the run, or on the one that CM_XTDB_URL names: it may hold anything, and others write to it. */
export function withNode(title: string, tests: (node: LiveNode) => void): void {
  withXtdb(title, ({ urls: [url = ""], token }) => tests(nodeAt(() => url, token)));
}

/** For tests that need their own node: an empty database, a token, functions, an end. */
export function withOwnNode(title: string, options: StartOptions, tests: (node: LiveNode) => void): void {
  withOwnXtdb(title, () => {
    let started: XtdbNode | undefined;
    beforeAll(async () => {
      started = await startNode({ quick: true, ...options });
    });
    // Registered before the clients', so that it runs after theirs.
    afterAll(() => started?.stop());
    tests(nodeAt(() => started?.url ?? "", options.token));
  });
}

function nodeAt(url: () => string, token: string | undefined): LiveNode {
  const clients: XtdbClient[] = [];
  const run = randomUUID().slice(0, 8);
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
  });
  return {
    get url() {
      return url();
    },
    client(options) {
      const client = connectXtdb({ urls: url(), token, ...options });
      clients.push(client);
      return client;
    },
    id: (name) => `${run}:${name}`,
  };
}
