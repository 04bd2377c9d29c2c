import { inspect } from "node:util";
import { isCmError } from "@cm/object-model";
import { type Fault, type FaultProxy, openFaultProxy } from "@cm/testkit";
import { startNode, whatIsMissing, type XtdbNode } from "@cm/xtdb-node";
import { afterAll, beforeAll } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { openXtdbStore, type XtdbObjectStore } from "../../src/index.ts";
import { canary } from "./fault-script.ts";

const token = "token-that-nobody-may-see";

export interface FaultyNode {
  readonly proxy: FaultProxy;
  /** A store behind the proxy and one beside it, over the same objects. Others have none of them. */
  open(deadlineMs: number): { readonly faulty: XtdbObjectStore; readonly clean: XtdbObjectStore };
}

/** A node with a fault proxy before it. */
export function withFaultyNode(title: string, tests: (node: FaultyNode) => void): void {
  requirement("a prepared XTDB node", () => whatIsMissing() === undefined)(title, () => {
    let node: XtdbNode | undefined;
    let proxy: FaultProxy | undefined;
    let count = 0;
    const there = <Part>(part: Part | undefined): Part => {
      if (part === undefined) throw new Error("asked before the node was there");
      return part;
    };
    beforeAll(async () => {
      node = await startNode({ quick: true });
      proxy = await openFaultProxy({ target: { host: "127.0.0.1", port: node.port }, dripMs: 2 });
    }, 60_000);
    afterAll(async () => {
      await proxy?.close();
      await node?.stop();
    });
    tests({
      get proxy() {
        return there(proxy);
      },
      open(deadlineMs) {
        count += 1;
        const namespace = `run-${count}`;
        return {
          faulty: openXtdbStore({ urls: there(proxy).url, namespace, deadlineMs, token }),
          clean: openXtdbStore({ urls: there(node).url, namespace }),
        };
      },
    });
  });
}

/** These end a request only by its deadline, so that is short. */
export const deadlineMsFor = (fault: Fault): number => (["never", "late", "slow-drip"].includes(fault) ? 200 : 10_000);

/** The code, for errors that are as they should be; else what is wrong with them. */
export function codeOf(error: unknown): string {
  if (!isCmError(error)) return `no CmError: ${inspect(error)}`;
  const all = inspect(error, { depth: 10, showHidden: true });
  return all.includes(canary) || all.includes(token) ? `tells too much: ${error.message}` : error.code;
}
