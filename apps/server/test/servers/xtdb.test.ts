// @module-tag xtdb
// @module-tag long
// Verifies: two servers share a node of XTDB as they share a file.
import { randomUUID } from "node:crypto";
import { type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { startNode, whatIsMissing, type XtdbNode } from "@cm/xtdb-node";
import { afterAll, beforeAll, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { shareStore } from "../support/share-store.ts";

/** A node that exists already. */
const given = process.env.CM_XTDB_URL?.split(",")[0];
const missing = given === undefined ? whatIsMissing() : undefined;

requirement(missing ?? "an XTDB node", () => missing === undefined)("two servers on a node of XTDB", () => {
  let node: XtdbNode | undefined;
  let scripted: ScriptedModel;
  beforeAll(async () => {
    if (given === undefined) node = await startNode({ quick: true });
    scripted = await startScriptedModel();
  });
  afterAll(async () => {
    await scripted.close();
    await node?.stop();
  });

  it("let exactly one of many starts win, go on when one is killed, and fork what the other ran", () =>
    shareStore(scripted, { store: given ?? node?.url ?? "", namespace: `cm-server-${randomUUID()}` }));
});
