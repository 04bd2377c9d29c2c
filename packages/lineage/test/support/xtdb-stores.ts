import { randomUUID } from "node:crypto";
import type { ObjectStore } from "@cm/object-model";
import { openXtdbStore } from "@cm/store-xtdb";
import { startNode, type XtdbNode } from "@cm/xtdb-node";
import { withOwnXtdb, withXtdb } from "@cm/xtdb-node/vitest";
import { afterAll, beforeAll } from "vitest";
import { lineageTypes } from "../../src/index.ts";
import { type OnStores, type Opened, within } from "./stores.ts";

/** The node of the run, for each test a namespace of its own. */
export const onXtdb: OnStores = (title, tests) => {
  withXtdb(title, ({ urls, token }) => tests((work) => within(onNode(urls[0] ?? "", token), work)));
};

/** A node of their own, for tests that ask as much at once as a node answers. */
export const onOwnXtdb: OnStores = (title, tests) => {
  withOwnXtdb(title, () => {
    let node: XtdbNode | undefined;
    beforeAll(async () => {
      node = await startNode({ quick: true });
    });
    afterAll(() => node?.stop());
    tests((work) => within(onNode(node?.url ?? "", undefined), work));
  });
};

const places = new WeakMap<ObjectStore, string>();

/** Where a store of `onXtdb` is, for another process: the node's URL and a namespace. */
export function whereOf(store: ObjectStore): string {
  const place = places.get(store);
  if (place === undefined) throw new RangeError("The store is none of these.");
  return place;
}

async function onNode(url: string, token: string | undefined): Promise<Opened> {
  const namespace = `test-${randomUUID()}`;
  const store = openXtdbStore({ urls: [url], token, namespace, types: lineageTypes });
  places.set(store, `${url} ${namespace}`);
  return { store, end: async () => {} };
}
