// Verifies: every rule of workspaces, sessions, tasks, artifacts, histories, deletion and purge, on each store.
import { createMemoryStore } from "@cm/object-model";
import { openSqliteStore } from "@cm/store-sqlite";
import { describe, it } from "vitest";
import { withWorkspaceTypes } from "../src/index.ts";
import { workspaceLaws, worldOf } from "./support/workspace-laws.ts";

const types = withWorkspaceTypes();
const worlds = {
  memory: () => worldOf(createMemoryStore({ types })),
  "memory, content and records apart": () => worldOf(createMemoryStore({ types }), createMemoryStore()),
  SQLite: () => worldOf(openSqliteStore({ path: ":memory:", types })),
};

describe.each(Object.entries(worlds))("on %s", (_name, open) => {
  it.each(workspaceLaws.map((law) => [law.title, law] as const))("%s", async (_title, law) => {
    await law.run(open());
  });
});
