// @module-tag process
// @module-tag long
// Verifies: the life of governed sessions, on SQLite.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type OpenedStore, openStore } from "../../src/store/open-store.ts";
import { processesOn } from "../support/mortal-server.ts";
import { folderWith, removed } from "../support/scripted.ts";
import { governedLawsOfStore } from "./laws/all.ts";

const folder = folderWith({});
const opened: OpenedStore[] = [];
afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()));
  removed(folder);
});

governedLawsOfStore("SQLite", {
  async open() {
    const store = await openStore({ store: join(folder, `${randomUUID()}.db`) }, { env: {}, cwd: folder });
    opened.push(store);
    return store;
  },
  mortal: processesOn(),
});
