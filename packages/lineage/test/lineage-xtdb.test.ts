// @module-tag xtdb
// @module-tag long
// Verifies: seed conversation-and-session, reference lineage; on a live node.
import { lineageSuite } from "./support/suite.ts";

lineageSuite("XTDB");
