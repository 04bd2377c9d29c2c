import { randomUUID } from "node:crypto";
import { openXtdbStore } from "@cm/store-xtdb";
import { startNode, whatIsMissing, type XtdbNode } from "@cm/xtdb-node";
import { afterAll, beforeAll } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { lineageTypes } from "../../src/index.ts";
import { type OnStores, type Opened, within } from "./stores.ts";

/** One node for all tests, each in a namespace of its own. */
export const onXtdb: OnStores = (title, tests) => {
  requirement(whatIsMissing() ?? "an XTDB node", () => whatIsMissing() === undefined)(title, () => {
    let node: XtdbNode | undefined;
    beforeAll(async () => {
      node = await startNode({ quick: true });
    }, 120_000);
    afterAll(() => node?.stop());
    tests((work) => within(onNode(node?.url ?? ""), work));
  });
};

async function onNode(url: string): Promise<Opened> {
  const store = openXtdbStore({ urls: [url], namespace: `test-${randomUUID()}`, types: lineageTypes });
  return { store, end: async () => {} };
}
