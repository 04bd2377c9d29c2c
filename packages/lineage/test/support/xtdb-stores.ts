import { randomUUID } from "node:crypto";
import type { ObjectStore } from "@cm/object-model";
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
    });
    afterAll(() => node?.stop());
    tests((work) => within(onNode(node?.url ?? ""), work));
  });
};

const places = new WeakMap<ObjectStore, string>();

/** Where a store of `onXtdb` is, for another process: the node's URL and a namespace. */
export function whereOf(store: ObjectStore): string {
  const place = places.get(store);
  if (place === undefined) throw new RangeError("The store is none of these.");
  return place;
}

async function onNode(url: string): Promise<Opened> {
  const namespace = `test-${randomUUID()}`;
  const store = openXtdbStore({ urls: [url], namespace, types: lineageTypes });
  places.set(store, `${url} ${namespace}`);
  return { store, end: async () => {} };
}
