// @module-tag process
// @module-tag long
// Verifies: two servers share a Postgres as they share a file.
import { withPostgres } from "@cm/private-postgres/vitest";
import { sharedServerLaws } from "../support/shared-store-laws.ts";

withPostgres("two servers on a Postgres", (postgres) =>
  sharedServerLaws(() => ["--store", postgres.url, "--namespace", "servers"]),
);
