// @module-tag xtdb
// @module-tag long
// Verifies: two servers share a node of XTDB as they share a file.
import { randomUUID } from "node:crypto";
import { withXtdb } from "@cm/xtdb-node/vitest";
import { sharedServerLaws } from "../support/shared-store-laws.ts";

withXtdb("two servers on a node of XTDB", ({ urls: [url = ""] }) => {
  sharedServerLaws(() => ["--store", url, "--namespace", `cm-server-${randomUUID()}`]);
});
