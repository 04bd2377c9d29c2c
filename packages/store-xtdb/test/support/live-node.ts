import { randomUUID } from "node:crypto";
import { connectXtdb, type XtdbClient } from "@cm/xtdb-client";
import { type StartOptions, startNode, whatIsMissing, type XtdbNode } from "@cm/xtdb-node";
import { afterAll, beforeAll } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { openXtdbStore, type XtdbObjectStore, type XtdbStoreOptions } from "../../src/index.ts";

/** Nodes that exist already, such as upstream's own server. They may hold anything, and others may write to them. */
const given = process.env.CM_XTDB_URL?.split(",");

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
export const withNodes = requirement(whatIsMissing() ?? "an XTDB node", () => whatIsMissing() === undefined);

let shared: Promise<XtdbNode> | undefined;

/** A node in memory for all files that this process runs, in namespaces of their own. It ends with the process. */
function sharedNode(): Promise<XtdbNode> {
  shared ??= startNode({ quick: true, heapMiB: 1_024 });
  return shared;
}

/**
 * The one place that decides which node tests talk to: the one that CM_XTDB_URL names, else a shared one in memory; with
 * options one of their own, started once for the tests inside.
 */
export function withNode(title: string, tests: (node: LiveNode) => void, options?: StartOptions): void {
  const missing = given === undefined ? whatIsMissing() : undefined;
  requirement(missing ?? "an XTDB node", () => missing === undefined)(title, () => {
    let started: XtdbNode | undefined;
    let client: XtdbClient | undefined;
    beforeAll(async () => {
      if (given === undefined) started = await (options ? startNode({ quick: true, ...options }) : sharedNode());
      client = connect(given ?? [started?.url ?? ""]);
    });
    afterAll(async () => {
      await client?.close();
      if (options) await started?.stop();
    });
    tests({
      get urls() {
        return given ?? [started?.url ?? ""];
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
