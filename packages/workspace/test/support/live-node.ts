import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ObjectStore } from "@cm/object-model";
import { openXtdbStore } from "@cm/store-xtdb";
import { connectXtdb, type XtdbClient } from "@cm/xtdb-client";
import { startNode, whatIsMissing, type XtdbNode } from "@cm/xtdb-node";
import { afterAll, beforeAll } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { withWorkspaceTypes } from "../../src/index.ts";

/** A node that exists already. */
const given = process.env.CM_XTDB_URL?.split(",");

/** Tests that need a node: the one that CM_XTDB_URL names, or one of their own. `open` gives a store of its own. */
export function withNode(title: string, tests: (open: () => ObjectStore) => void): void {
  const missing = given === undefined ? whatIsMissing() : undefined;
  requirement(missing ?? "an XTDB node", () => missing === undefined)(title, () => {
    let started: XtdbNode | undefined;
    let client: XtdbClient | undefined;
    let folder: string | undefined;
    beforeAll(async () => {
      // On disk: in memory a node has its index in the heap, some 30 KB for a message, and long histories do not fit.
      if (given === undefined) {
        folder = mkdtempSync(join(tmpdir(), "cm-workspace-node-"));
        started = await startNode({ quick: true, storage: { kind: "rocksdb", folder } });
      }
      const token = process.env.CM_XTDB_TOKEN;
      client = connectXtdb({ urls: given ?? [started?.url ?? ""], ...(token === undefined ? {} : { token }) });
    });
    afterAll(async () => {
      await client?.close();
      await started?.stop();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    });
    tests(() => {
      if (client === undefined) throw new Error("The node is not there yet; open stores within tests.");
      return openXtdbStore({ client, namespace: `test-${randomUUID()}`, types: withWorkspaceTypes() });
    });
  });
}
