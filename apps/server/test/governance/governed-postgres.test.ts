// @module-tag process
// @module-tag long
// Verifies: the life of governed sessions, on a real Postgres.
import { randomUUID } from "node:crypto";
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from "@cm/private-postgres";
import { afterAll, beforeAll } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { type OpenedStore, openStore } from "../../src/store/open-store.ts";
import { processesOn } from "../support/mortal-server.ts";
import { governedLaws } from "./laws/all.ts";

requirement("Postgres", () => findPostgres() !== undefined)("with a Postgres", () => {
  let postgres: PrivatePostgres | undefined;
  const opened: OpenedStore[] = [];
  beforeAll(async () => {
    postgres = await startPrivatePostgres();
  });
  afterAll(async () => {
    await Promise.all(opened.map((store) => store.close()));
    await postgres?.stop();
  });

  governedLaws("Postgres", {
    async open() {
      const namespace = `n${randomUUID().slice(0, 8)}`;
      const store = await openStore({ store: postgres?.url, namespace }, { env: {}, cwd: "/" });
      opened.push(store);
      return store;
    },
    mortal: () => processesOn(postgres?.url)(),
  });
});
