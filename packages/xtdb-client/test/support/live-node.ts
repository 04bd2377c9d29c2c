import { randomUUID } from "node:crypto";
import { type StartOptions, startNode, whatIsMissing, type XtdbNode } from "@cm/xtdb-node";
import { afterAll, beforeAll, describe } from "vitest";
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

let shared: Promise<XtdbNode> | undefined;

/** A node in memory for all files that this process runs. It ends with the process. */
function sharedNode(): Promise<XtdbNode> {
  shared ??= startNode({ quick: true, heapMiB: 1_024 });
  return shared;
}

/**
 * The one place that decides which node tests talk to: the one that CM_XTDB_URL names, else a shared one in memory.
 */
export function withNode(title: string, tests: (node: LiveNode) => void): void {
  if (given === undefined) withStarted(title, sharedNode, { isShared: true }, tests);
  else describe(`${title} (CM_XTDB_URL)`, () => tests(nodeAt(() => given, givenToken)));
}

/** For tests that need their own node: an empty database, a token, functions, an end. */
export function withOwnNode(title: string, options: StartOptions, tests: (node: LiveNode) => void): void {
  withStarted(title, () => startNode({ quick: true, ...options }), options, tests);
}

function withStarted(
  title: string,
  start: () => Promise<XtdbNode>,
  { token, isShared = false }: { readonly token?: string | undefined; readonly isShared?: boolean },
  tests: (node: LiveNode) => void,
): void {
  const missing = whatIsMissing();
  requirement(missing ?? "an XTDB node", () => missing === undefined)(title, () => {
    let started: XtdbNode | undefined;
    beforeAll(async () => {
      started = await start();
    });
    // Registered before the clients', so that it runs after theirs.
    afterAll(async () => (isShared ? undefined : started?.stop()));
    tests(nodeAt(() => started?.url ?? "", token));
  });
}

const givenToken = process.env.CM_XTDB_TOKEN;

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
