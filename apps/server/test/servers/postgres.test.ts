// @module-tag process
// @module-tag long
// Verifies: two servers share a Postgres as they share a file.
import { withPostgres } from "@cm/private-postgres/vitest";
import { type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, it } from "vitest";
import { shareStore } from "../support/share-store.ts";

withPostgres("two servers on a Postgres", (postgres) => {
  let scripted: ScriptedModel;
  beforeAll(async () => {
    scripted = await startScriptedModel();
  });
  afterAll(async () => {
    await scripted.close();
  });

  it("let exactly one of many starts win, go on when one is killed, and fork what the other ran", () =>
    shareStore(scripted, { store: postgres.url, namespace: "servers" }));
});
