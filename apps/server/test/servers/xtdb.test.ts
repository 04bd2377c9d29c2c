// @module-tag xtdb
// @module-tag long
// Verifies: two servers share a node of XTDB as they share a file.
import { randomUUID } from "node:crypto";
import { startNode, whatIsMissing, type XtdbNode } from "@cm/xtdb-node";
import { afterAll, beforeAll } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { sharedStoreLaws } from "../support/shared-store-laws.ts";

/** A node that exists already. */
const given = process.env.CM_XTDB_URL?.split(",")[0];
const missing = given === undefined ? whatIsMissing() : undefined;

requirement(missing ?? "an XTDB node", () => missing === undefined)("two servers on a node of XTDB", () => {
  let node: XtdbNode | undefined;
  beforeAll(async () => {
    if (given === undefined) node = await startNode({ quick: true });
  });
  afterAll(() => node?.stop());

  sharedStoreLaws(() => ["--store", given ?? node?.url ?? "", "--namespace", `cm-server-${randomUUID()}`]);
});
