// @module-tag process
// @module-tag xtdb
// @module-tag long
// Verifies: seed conversation-and-session, reference lineage; on a live node.
import { severalProcesses } from "./support/several-processes.ts";
import { serverSuite } from "./support/suite.ts";
import { onOwnXtdb, onXtdb, whereOf } from "./support/xtdb-stores.ts";

serverSuite("lineage on XTDB", onXtdb);

// A file and a Postgres show the same in every run; that processes lose no step to each other here, `store-xtdb/test/processes`.
if (process.env.CM_CAMPAIGN === "1") {
  severalProcesses("several processes on XTDB", onOwnXtdb, {
    whereOf,
    file: "packages/lineage/test/lineage-xtdb.test.ts",
  });
}
