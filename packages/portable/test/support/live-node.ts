import { randomUUID } from "node:crypto";
import { defined, type ObjectStore } from "@cm/object-model";
import { openXtdbStore } from "@cm/store-xtdb";
import { connectXtdb, type XtdbClient } from "@cm/xtdb-client";
import { type StartOptions, startNode, whatIsMissing, type XtdbNode } from "@cm/xtdb-node";
import { afterAll, beforeAll } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";

/** A node that exists already. */
const given = process.env.CM_XTDB_URL?.split(",");

export interface NodeStoreSetting {
  readonly now?: () => number;
  /** Default: one that no other test has. */
  readonly namespace?: string;
}

/** Tests that need a node: the one that CM_XTDB_URL names, or one of their own. `open` gives a store of its own. */
export function withNode(
  title: string,
  tests: (open: (setting?: NodeStoreSetting) => ObjectStore) => void,
  options: StartOptions = { quick: true },
): void {
  const missing = given === undefined ? whatIsMissing() : undefined;
  requirement(missing ?? "an XTDB node", () => missing === undefined)(title, () => {
    let started: XtdbNode | undefined;
    let client: XtdbClient | undefined;
    beforeAll(async () => {
      if (given === undefined) started = await startNode(options);
      const token = process.env.CM_XTDB_TOKEN;
      client = connectXtdb({ urls: given ?? [started?.url ?? ""], ...(token === undefined ? {} : { token }) });
    });
    afterAll(async () => {
      await client?.close();
      await started?.stop();
    });
    tests(({ now, namespace = `test-${randomUUID()}` } = {}) => {
      if (client === undefined) throw new Error("The node is not there yet; open stores within tests.");
      return openXtdbStore({ client, namespace, ...defined({ now }) });
    });
  });
}
