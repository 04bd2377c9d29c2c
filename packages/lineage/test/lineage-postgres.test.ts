// @module-tag process
// @module-tag long
// Verifies: seed conversation-and-session, reference lineage; on a real server.
import { onPostgres, whereOf } from "./support/postgres-stores.ts";
import { severalProcesses } from "./support/several-processes.ts";
import { serverSuite } from "./support/suite.ts";

serverSuite("lineage on Postgres", onPostgres);

severalProcesses("several processes on Postgres", onPostgres, {
  whereOf,
  file: "packages/lineage/test/lineage-postgres.test.ts",
});
