// Verifies: seed conversation-and-session, reference lineage; on the stores of one process.
import { onMemory, onSqlite } from "./support/stores.ts";
import { lineageSuite } from "./support/suite.ts";

lineageSuite("lineage in memory", onMemory);
lineageSuite("lineage on SQLite", onSqlite);
