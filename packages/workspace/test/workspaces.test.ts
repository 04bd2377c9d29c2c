// Verifies: every rule of workspaces, sessions, tasks, artifacts, histories, deletion and purge, on each store.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore } from "@cm/object-model";
import { openSqliteStore } from "@cm/store-sqlite";
import { afterAll, describe, it } from "vitest";
import { withWorkspaceTypes } from "../src/index.ts";
import { type Stores, workspaceLaws, worldOf } from "./support/workspace-laws.ts";

const types = withWorkspaceTypes();
const folder = mkdtempSync(join(tmpdir(), "cm-workspace-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const worlds: Readonly<Record<string, () => Stores>> = {
  memory: () => ({ records: createMemoryStore({ types }) }),
  "memory, content and records apart": () => ({ records: createMemoryStore({ types }), content: createMemoryStore() }),
  "SQLite, each client with a handle of its own": () => {
    const path = join(folder, `${randomUUID()}.db`);
    const again = () => openSqliteStore({ path, types, synchronous: "normal" });
    return { records: again(), again };
  },
};

describe.each(Object.entries(worlds))("on %s", (_name, open) => {
  it.each(workspaceLaws.map((law) => [law.title, law] as const))("%s", async (_title, law) => {
    await law.run(worldOf(open()));
  });
});
