import { randomUUID } from "node:crypto";
import type { ObjectStore } from "@cm/object-model";
import { openXtdbStore } from "@cm/store-xtdb";
import { withXtdb } from "@cm/xtdb-node/vitest";
import { onTestFinished } from "vitest";
import { withWorkspaceTypes } from "../../src/index.ts";

/** Tests on a node; `open` gives a store of its own within a test. */
export function withNode(title: string, tests: (open: () => ObjectStore) => void): void {
  withXtdb(title, (address) => {
    tests(() => {
      const store = openXtdbStore({ ...address, namespace: `test-${randomUUID()}`, types: withWorkspaceTypes() });
      onTestFinished(() => store.close());
      return store;
    });
  });
}
