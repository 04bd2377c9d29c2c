import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "@cm/store-sqlite";
import { afterAll, beforeAll } from "vitest";
import { fillSample } from "./sample-store.ts";

/** A folder for the tests of a file, and in it a SQLite file with the sample's sessions. */
export function sampleFolder(): { readonly path: string; readonly store: string; at(name: string): string } {
  const path = mkdtempSync(join(tmpdir(), "cm-cli-"));
  const store = join(path, "objects.sqlite");
  beforeAll(async () => {
    const opened = openSqliteStore({ path: store });
    await fillSample(opened);
    await opened.close();
  });
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return { path, store, at: (name) => join(path, name) };
}
