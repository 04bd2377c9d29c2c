import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import type { SeenRequest } from "@cm/testkit";
import { connectXtdb, datalog, isXtdbError, put, type XtdbClient, type XtdbDocument } from "../../src/index.ts";

/** Neither may show in an error. */
export const canaries = { token: "token-that-nobody-may-see", content: "content-that-nobody-may-see" };

/** Things of one test file's own on a node, which others may use as well. */
export interface FaultWorld {
  readonly url: string;
  /** A client without anything between it and the node. */
  readonly direct: XtdbClient;
  readonly ids: readonly [string, string, string];
  /** The newest of the transactions that wrote them. */
  readonly txId: number;
  readonly firstTxId: number;
}

export const freshDocument = (id = randomUUID()): XtdbDocument => ({ "xt/id": id, text: canaries.content });

export async function createFaultWorld(url: string): Promise<FaultWorld> {
  const direct = connectXtdb({ urls: url });
  const mark = randomUUID();
  const ids = [`${mark}-a`, `${mark}-b`, `${mark}-c`] as const;
  const versions = [1, 2, 3].map((version) =>
    ids.map((id) => put({ "xt/id": id, mark, version, text: `${canaries.content} ${version}` })),
  );
  const txIds: number[] = [];
  for (const operations of versions) txIds.push((await direct.submitAndConfirm(operations)).txId);
  return { url, direct, ids, txId: Math.max(...txIds), firstTxId: Math.min(...txIds) };
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

const sameVersion = (answer: unknown, clean: unknown): boolean =>
  inspect(answer, { depth: 1 }).length > 0 && versionOf(answer) === versionOf(clean);

const versionOf = (status: unknown): string => String((Object(status) as { version?: unknown }).version);

export const faultyReads: readonly FaultyRead[] = [
  { name: "status", ask: (client) => client.status(), isRight: sameVersion },
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
];

/** What an error says besides its code that it should not say, or undefined. */
export function indiscretionOf(error: unknown): string | undefined {
  if (!isXtdbError(error)) return `no XtdbError: ${inspect(error)}`;
  const all = inspect(error, { depth: 10, showHidden: true });
  return Object.values(canaries).find((canary) => all.includes(canary));
}

export const submitsOf = (seen: readonly SeenRequest[]): readonly SeenRequest[] =>
  seen.filter(({ path }) => path === "/_xtdb/submit-tx");

export const codeOf = (error: unknown): string => (isXtdbError(error) ? error.code : String(error));
