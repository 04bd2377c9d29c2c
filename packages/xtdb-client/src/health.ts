import type { CallOptions } from "./call.ts";
import { envelope, statusSchema, txIdSchema, txSchema } from "./envelopes.ts";
import { isXtdbError, type XtdbErrorCode } from "./errors.ts";
import type { Node } from "./node.ts";
import type { Requester } from "./requester.ts";

export interface NodeHealth {
  readonly url: string;
  /** Whether it answered. */
  readonly reachable: boolean;
  /** True where the node takes submits and indexes none of them, until it is restarted. */
  readonly ingesterFailed: boolean | undefined;
  readonly completedTxId: number | undefined;
  readonly submittedTxId: number | undefined;
  /** How far the index is behind the log, in transaction ids. Some logs leave ids out, so 0 alone is exact. */
  readonly lag: number | undefined;
  /** The error, if there was one. */
  readonly code: XtdbErrorCode | undefined;
}

/** Asks each node by itself; never rejects because of one. */
export async function healthOf(requester: Requester, options: CallOptions): Promise<readonly NodeHealth[]> {
  return await Promise.all(requester.nodes.map((node) => nodeHealth(requester, node, options)));
}

async function nodeHealth(requester: Requester, node: Node, options: CallOptions): Promise<NodeHealth> {
  const ask = async <Value>(endpoint: string, format: "json" | "edn", read: (value: unknown) => Value) => {
    try {
      const value = await requester.ask({ endpoint, format, node, mayBeAbsent: true }, options);
      return { value: value === undefined ? undefined : read(value) };
    } catch (error) {
      if (!isXtdbError(error) || error.code === "xtdb/closed" || error.code === "xtdb/aborted") throw error;
      return { code: error.code };
    }
  };
  const [status, completed, submitted] = await Promise.all([
    ask("status", "json", (value) => envelope(statusSchema, value, "status")),
    ask("latest-completed-tx", "edn", (value) => envelope(txSchema, value, "latest-completed-tx").txId),
    ask("latest-submitted-tx", "json", (value) => envelope(txIdSchema, value, "latest-submitted-tx").txId),
  ]);
  const completedTxId = completed.value;
  const submittedTxId = submitted.value;
  const code = status.code ?? completed.code ?? submitted.code;
  return {
    url: node.origin + node.basePath,
    reachable: [status, completed, submitted].some((answer) => answer.code === undefined),
    ingesterFailed: status.value?.ingesterFailed,
    completedTxId,
    submittedTxId,
    lag: code === undefined ? Math.max(0, (submittedTxId ?? -1) - (completedTxId ?? -1)) : undefined,
    code,
  };
}
