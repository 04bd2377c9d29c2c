// @module-tag process
// @module-tag xtdb
// @module-tag long
// Verifies: seed conversation-and-session, reference lineage; on a live node.
import { severalProcesses } from "./support/several-processes.ts";
import { lineageSuite } from "./support/suite.ts";
import { onOwnXtdb, onXtdb, whereOf } from "./support/xtdb-stores.ts";

lineageSuite("lineage on XTDB", onXtdb);

severalProcesses("several processes on XTDB", onOwnXtdb, {
  whereOf,
  file: "packages/lineage/test/lineage-xtdb.test.ts",
});
