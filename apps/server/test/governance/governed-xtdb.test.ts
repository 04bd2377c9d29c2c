// @module-tag xtdb
// @module-tag long
// Verifies: the life of governed sessions, on a live node of XTDB.
import { randomUUID } from "node:crypto";
import { withXtdb } from "@cm/xtdb-node/vitest";
import { afterAll } from "vitest";
import { type OpenedStore, openStore } from "../../src/store/open-store.ts";
import { processesOn } from "../support/mortal-server.ts";
import { governedLawsOfServer } from "./laws/all.ts";

withXtdb("with a node", ({ urls: [url], token }) => {
  const opened: OpenedStore[] = [];
  afterAll(() => Promise.all(opened.map((store) => store.close())));

  governedLawsOfServer("XTDB", {
    async open() {
      const namespace = `n${randomUUID().slice(0, 8)}`;
      const env = token === undefined ? {} : { CM_XTDB_TOKEN: token };
      const store = await openStore({ store: url, namespace }, { env, cwd: "/" });
      opened.push(store);
      return store;
    },
    mortal: () => processesOn(url)(),
  });
});
