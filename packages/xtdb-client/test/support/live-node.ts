import { randomUUID } from "node:crypto";
import { startNode, whatIsMissing, type XtdbNode } from "@cm/xtdb-node";
import { afterAll, beforeAll } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { connectXtdb, type XtdbClient, type XtdbOptions } from "../../src/index.ts";

/** A node that exists already, such as upstream's own server. It may hold anything, and others may write to it. */
const given = process.env.CM_XTDB_URL;

export interface LiveNode {
  readonly url: string;
  /** A client that is closed after the tests of the file. */
  client(options?: Partial<XtdbOptions>): XtdbClient;
  /** An id that no other run has used. */
  id(name: string): string;
}

/**
 * The one place that decides which node tests talk to: the one that CM_XTDB_URL names, else one of their own, in
 * memory, started once for the tests inside.
 */
export function withNode(title: string, tests: (node: LiveNode) => void): void {
  const missing = given === undefined ? whatIsMissing() : undefined;
  requirement(missing ?? "an XTDB node", () => missing === undefined)(title, () => {
    const clients: XtdbClient[] = [];
    const run = randomUUID().slice(0, 8);
    let started: XtdbNode | undefined;
    beforeAll(async () => {
      if (given === undefined) started = await startNode({ quick: true });
    });
    afterAll(async () => {
      await Promise.all(clients.map((client) => client.close()));
      await started?.stop();
    });
    const node: LiveNode = {
      get url() {
        return given ?? started?.url ?? "";
      },
      client(options) {
        const client = connectXtdb({ urls: node.url, ...tokenOf(), ...options });
        clients.push(client);
        return client;
      },
      id: (name) => `${run}:${name}`,
    };
    tests(node);
  });
}

/** Tests that need what a node of ours promises and upstream's does not. */
export const withOwnNode = given === undefined ? withNode : () => {};

const tokenOf = (): { token?: string } =>
  process.env.CM_XTDB_TOKEN === undefined ? {} : { token: process.env.CM_XTDB_TOKEN };
