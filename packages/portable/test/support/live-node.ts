import { randomUUID } from "node:crypto";
import { defined, type ObjectStore } from "@cm/object-model";
import { openXtdbStore } from "@cm/store-xtdb";
import { type StartOptions, startNode, type XtdbNode } from "@cm/xtdb-node";
import { withXtdb } from "@cm/xtdb-node/vitest";
import { afterAll, beforeAll, onTestFinished } from "vitest";

export interface NodeStoreSetting {
  readonly now?: () => number;
  /** Default: one that no other test has. */
  readonly namespace?: string;
}

/** Tests on the node of the run, or with options on one of their own; `open` gives a store of its own within a test. */
export function withNode(
  title: string,
  tests: (open: (setting?: NodeStoreSetting) => ObjectStore) => void,
  options?: StartOptions,
): void {
  withXtdb(title, (address) => {
    let own: XtdbNode | undefined;
    beforeAll(async () => {
      if (options !== undefined) own = await startNode(options);
    });
    afterAll(() => own?.stop());
    tests(({ now, namespace = `test-${randomUUID()}` } = {}) => {
      const place = own === undefined ? address : { urls: [own.url] };
      const store = openXtdbStore({ ...place, namespace, ...defined({ now }) });
      onTestFinished(() => store.close());
      return store;
    });
  });
}
