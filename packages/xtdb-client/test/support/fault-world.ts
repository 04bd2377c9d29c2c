import { inspect, isDeepStrictEqual } from "node:util";
import { type Fault, type FaultProxy, openFaultProxy, type SeenRequest } from "@cm/testkit";
import { afterAll, beforeAll } from "vitest";
import { datalog, isXtdbError, put, type XtdbClient, type XtdbOptions } from "../../src/index.ts";
import { withNode, withOwnNode } from "./live-node.ts";
import { openUpstreamFront, type UpstreamFront } from "./upstream-front.ts";

/** None of these may show in an error. */
export const canaries = {
  token: process.env.CM_XTDB_TOKEN ?? "token-that-nobody-may-see",
  content: "content-that-nobody-may-see",
};

/** What the tests of one file have in the database. */
export interface FaultWorld {
  readonly ids: readonly [string, string, string];
  /** The newest of the transactions that wrote them. */
  readonly txId: number;
  readonly firstTxId: number;
}

export interface FaultyNode {
  readonly world: FaultWorld;
  readonly proxy: FaultProxy;
  /** A client with nothing between it and the node. */
  readonly direct: XtdbClient;
  /** The URLs with and without the proxy. */
  readonly urls: { readonly faulty: string; readonly direct: string };
  /** A client behind the proxy. */
  client(options?: Partial<XtdbOptions>): XtdbClient;
  /** An unused id. */
  freshId(): string;
}

/**
 * A node with a fault proxy before it, and some documents in it. `isOwn`: a node of its own, for tests that read its whole log.
 * `isUpstream`: its submits do not wait, as those of upstream's server.
 */
export function withFaultyNode(
  title: string,
  tests: (faulty: FaultyNode) => void,
  { isOwn = false, isUpstream = false }: { readonly isOwn?: boolean; readonly isUpstream?: boolean } = {},
): void {
  const around = isOwn ? withOwnNode.bind(undefined, title, {}) : withNode.bind(undefined, title);
  around((node) => {
    let count = 0;
    let front: UpstreamFront | undefined;
    let parts: { world: FaultWorld; proxy: FaultProxy; direct: XtdbClient } | undefined;
    const ready = () => {
      if (parts === undefined) throw new Error("asked before the node was there");
      return parts;
    };
    beforeAll(async () => {
      if (isUpstream) front = await openUpstreamFront(node.url);
      const { hostname, port } = new URL(front?.url ?? node.url);
      const proxy = await openFaultProxy({ target: { host: hostname, port: Number(port) }, dripMs: 2 });
      const direct = node.client();
      const ids = [node.id("a"), node.id("b"), node.id("c")] as const;
      parts = { proxy, direct, world: await createWorld(direct, ids) };
    });
    afterAll(async () => {
      await parts?.proxy.close();
      await front?.close();
    });
    const faulty: FaultyNode = {
      get world() {
        return ready().world;
      },
      get proxy() {
        return ready().proxy;
      },
      get direct() {
        return ready().direct;
      },
      get urls() {
        const path = new URL(node.url).pathname.replace(/\/$/, "");
        return { faulty: ready().proxy.url + path, direct: node.url };
      },
      client: (options) => node.client({ urls: faulty.urls.faulty, token: canaries.token, ...options }),
      freshId() {
        count += 1;
        return node.id(`fresh ${count}`);
      },
    };
    tests(faulty);
  });
}

async function createWorld(direct: XtdbClient, ids: FaultWorld["ids"]): Promise<FaultWorld> {
  const txIds: number[] = [];
  for (const version of [1, 2, 3]) {
    const operations = ids.map((id) => put({ "xt/id": id, version, text: `${canaries.content} ${version}` }));
    txIds.push((await direct.submitAndConfirm(operations)).txId);
  }
  return { ids, txId: Math.max(...txIds), firstTxId: Math.min(...txIds) };
}

/** A read, and how to tell a right answer from a wrong one. */
export interface FaultyRead {
  readonly name: string;
  readonly ask: (client: XtdbClient, world: FaultWorld) => Promise<unknown>;
  /** Default: equal. `clean` is the answer over a clean connection. */
  readonly isRight?: (answer: unknown, clean: unknown) => boolean;
}

const versionsQuery = datalog`{:find [e v] :in [[e ...]] :where [[e :version v]]}`;

/** What only grows: on a node that others use it may have grown between the two answers. */
const notOlder = (answer: unknown, clean: unknown): boolean => newest(answer) >= newest(clean);

function newest(answer: unknown): number {
  const { txId, txTime } = Object(answer) as { txId?: unknown; txTime?: unknown };
  if (typeof txId === "number") return txId;
  return txTime instanceof Date ? txTime.getTime() : Number.NaN;
}

/** Sizes and numbers of keys may move. */
const sameEngine = (answer: unknown, clean: unknown): boolean => isDeepStrictEqual(engineOf(answer), engineOf(clean));

function engineOf(status: unknown): unknown {
  const { version, revision, kvStore } = Object(status) as Record<string, unknown>;
  return { version, revision, kvStore };
}

export const faultyReads: readonly FaultyRead[] = [
  { name: "status", ask: (client) => client.status(), isRight: sameEngine },
  { name: "sync", ask: (client) => client.sync(), isRight: notOlder },
  { name: "latestCompleted", ask: (client) => client.latestCompleted(), isRight: notOlder },
  { name: "latestSubmitted", ask: (client) => client.latestSubmitted(), isRight: notOlder },
  { name: "basis", ask: (client) => client.basis(), isRight: notOlder },
  { name: "awaitTx", ask: (client, { txId }) => client.awaitTx(txId), isRight: notOlder },
  { name: "isCommitted", ask: (client, { txId }) => client.isCommitted(txId) },
  { name: "entity", ask: (client, { ids, txId }) => client.entity(ids[0], { txId }) },
  { name: "entity of then", ask: (client, { ids, firstTxId }) => client.entity(ids[0], { txId: firstTxId }) },
  { name: "entity that is absent", ask: (client) => client.entity("there is nothing of this name") },
  { name: "entityTx", ask: (client, { ids, txId }) => client.entityTx(ids[0], { txId }) },
  { name: "query", ask: (client, { ids, txId }) => client.query(versionsQuery, [ids], { txId }) },
  { name: "query in EDN", ask: (client, { ids, txId }) => client.query(versionsQuery, [ids], { txId, format: "edn" }) },
  { name: "pull", ask: (client, { ids, txId }) => client.pull(ids, { txId }) },
  { name: "history", ask: (client, { ids, txId }) => all(client.history(ids[0], { txId })) },
  { name: "histories", ask: (client, { ids, txId }) => client.histories(ids, { txId }) },
  {
    name: "txLog",
    ask: (client, { firstTxId }) => all(client.txLog({ afterTxId: firstTxId, operations: true })),
    isRight: startsWith,
  },
];

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** A log grows; what was in it stays. */
function startsWith(answer: unknown, clean: unknown): boolean {
  return Array.isArray(answer) && Array.isArray(clean) && isDeepStrictEqual(answer.slice(0, clean.length), clean);
}

/** What an error says besides its code that it should not say, or undefined. */
export function indiscretionOf(error: unknown): string | undefined {
  if (!isXtdbError(error)) return `no XtdbError: ${inspect(error)}`;
  const all = inspect(error, { depth: 10, showHidden: true });
  return Object.values(canaries).find((canary) => all.includes(canary));
}

export const endsByDeadline = (fault: Fault): boolean => ["never", "late", "slow-drip"].includes(fault);

/** Short where the call only ends by it. */
export const deadlineMsFor = (fault: Fault): number => (endsByDeadline(fault) ? 250 : 60_000);

export const submitsOf = (seen: readonly SeenRequest[]): readonly SeenRequest[] =>
  seen.filter(({ path }) => path.endsWith("/_xtdb/submit-tx"));

export const codeOf = (error: unknown): string => (isXtdbError(error) ? error.code : String(error));
