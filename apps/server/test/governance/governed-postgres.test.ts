// @module-tag process
// @module-tag long
// Verifies: the life of governed sessions, on a real Postgres.
import { randomUUID } from "node:crypto";
import { withPostgres } from "@cm/private-postgres/vitest";
import { afterAll } from "vitest";
import { type OpenedStore, openStore } from "../../src/store/open-store.ts";
import { processesOn } from "../support/mortal-server.ts";
import { governedLawsOfServer } from "./laws/all.ts";

withPostgres("with a Postgres", (postgres) => {
  const opened: OpenedStore[] = [];
  afterAll(() => Promise.all(opened.map((store) => store.close())));

  governedLawsOfServer("Postgres", {
    async open() {
      const namespace = `n${randomUUID().slice(0, 8)}`;
      const store = await openStore({ store: postgres.url, namespace }, { env: {}, cwd: "/" });
      opened.push(store);
      return store;
    },
    mortal: () => processesOn(postgres.url)(),
  });
});
