// @module-tag xtdb
// @module-tag long
// Verifies: seed conversation-and-session, reference lineage; on a live node.
import { lineageSuite } from "./support/suite.ts";
import { onXtdb } from "./support/xtdb-stores.ts";

lineageSuite("lineage on XTDB", onXtdb);
