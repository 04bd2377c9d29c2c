// @module-tag process
// @module-tag long
// Verifies: two servers share a Postgres as they share a file.
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from "@cm/private-postgres";
import { type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { afterAll, beforeAll, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { shareStore } from "../support/share-store.ts";

requirement("Postgres", () => findPostgres() !== undefined)("two servers on a Postgres", () => {
  let postgres: PrivatePostgres | undefined;
  let scripted: ScriptedModel;
  beforeAll(async () => {
    postgres = await startPrivatePostgres();
    scripted = await startScriptedModel();
  });
  afterAll(async () => {
    await scripted.close();
    await postgres?.stop();
  });

  it("let exactly one of many starts win, go on when one is killed, and fork what the other ran", () =>
    shareStore(scripted, { store: postgres?.url ?? "", namespace: "servers" }));
});
