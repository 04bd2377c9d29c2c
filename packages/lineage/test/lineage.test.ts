// Verifies: seed conversation-and-session, reference lineage; on the stores of one process.
import { lineageSuite } from "./support/suite.ts";

lineageSuite("memory");
lineageSuite("SQLite");
