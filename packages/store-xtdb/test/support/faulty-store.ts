import { inspect } from "node:util";
import { isCmError } from "@cm/object-model";
import { type Fault, type FaultProxy, openFaultProxy } from "@cm/testkit";
import { afterAll, beforeAll } from "vitest";
import { openXtdbStore, type XtdbObjectStore } from "../../src/index.ts";
import { canary } from "./fault-script.ts";
import { freshNamespace, withNode } from "./live-node.ts";

const given = process.env.CM_XTDB_TOKEN;
const token = given ?? "token-that-nobody-may-see";

export interface FaultyNode {
  readonly proxy: FaultProxy;
  /** A store behind the proxy and one beside it, over the same objects. Others have none of them. */
  open(deadlineMs: number): { readonly faulty: XtdbObjectStore; readonly clean: XtdbObjectStore };
}

/** A node with a fault proxy before it. */
export function withFaultyNode(title: string, tests: (node: FaultyNode) => void): void {
  withNode(title, (node) => {
    let parts: { readonly proxy: FaultProxy; readonly faultyUrl: string } | undefined;
    const ready = () => {
      if (parts === undefined) throw new Error("asked before the node was there");
      return parts;
    };
    beforeAll(async () => {
      const { hostname, port, pathname } = new URL(node.urls[0] ?? "");
      const proxy = await openFaultProxy({ target: { host: hostname, port: Number(port) }, dripMs: 2 });
      parts = { proxy, faultyUrl: proxy.url + pathname.replace(/\/$/, "") };
    });
    afterAll(async () => {
      await parts?.proxy.close();
    });
    tests({
      get proxy() {
        return ready().proxy;
      },
      open(deadlineMs) {
        const namespace = freshNamespace();
        const direct = { urls: node.urls, ...(given === undefined ? {} : { token }) };
        return {
          faulty: openXtdbStore({ urls: ready().faultyUrl, namespace, deadlineMs, token }),
          clean: openXtdbStore({ ...direct, namespace }),
        };
      },
    });
  });
}

/** These end a request only by its deadline, so that is short. */
export const deadlineMsFor = (fault: Fault): number => (["never", "late", "slow-drip"].includes(fault) ? 200 : 60_000);

/** The code, for errors that are as they should be; else what is wrong with them. */
export function codeOf(error: unknown): string {
  if (!isCmError(error)) return `no CmError: ${inspect(error)}`;
  const all = inspect(error, { depth: 10, showHidden: true });
  return all.includes(canary) || all.includes(token) ? `tells too much: ${error.message}` : error.code;
}
