// @module-tag xtdb
// @module-tag long
// Verifies: the life of governed sessions, on a live node of XTDB.
import { randomUUID } from "node:crypto";
import { startNode, whatIsMissing, type XtdbNode } from "@cm/xtdb-node";
import { afterAll, beforeAll } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { type OpenedStore, openStore } from "../../src/store/open-store.ts";
import { processesOn } from "../support/mortal-server.ts";
import { governedLaws } from "./laws/all.ts";

/** A node that exists already. */
const given = process.env.CM_XTDB_URL?.split(",")[0];
const missing = given === undefined ? whatIsMissing() : undefined;

requirement(missing ?? "an XTDB node", () => missing === undefined)("with a node", () => {
  let node: XtdbNode | undefined;
  const opened: OpenedStore[] = [];
  const url = () => given ?? node?.url;
  beforeAll(async () => {
    if (given === undefined) node = await startNode({ quick: true });
  });
  afterAll(async () => {
    await Promise.all(opened.map((store) => store.close()));
    await node?.stop();
  });

  governedLaws("XTDB", {
    async open() {
      const namespace = `n${randomUUID().slice(0, 8)}`;
      const token = process.env.CM_XTDB_TOKEN;
      const env = token === undefined ? {} : { CM_XTDB_TOKEN: token };
      const store = await openStore({ store: url(), namespace }, { env, cwd: "/" });
      opened.push(store);
      return store;
    },
    mortal: () => processesOn(url())(),
  });
});
