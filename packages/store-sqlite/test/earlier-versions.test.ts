// Verifies: SSOT 7.4: a file of every released version opens and answers as the memory store does.
import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { createMemoryStore } from "@cm/object-model";
import { ComparedStore } from "@cm/testkit";
import { expect, it } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { testTypes } from "./support/documents.ts";
import { freshPath } from "./support/folder.ts";
import { referenceQuestions, referenceStart, writeReferenceHistory } from "./support/reference-history.ts";

const fixtures = new URL("./fixtures/", import.meta.url);
const later = referenceStart + 50;

it.each(readdirSync(fixtures))("%s opens and holds what was written", async (name) => {
  const path = freshPath();
  // The rows of an index are a virtual table's own; SQLite by default lets no other statement write them.
  const file = new DatabaseSync(path, { defensive: false });
  file.exec(readFileSync(new URL(name, fixtures), "utf8"));
  file.close();
  let time = 0;
  const memory = new ComparedStore(createMemoryStore({ types: testTypes, now: () => time }));
  await writeReferenceHistory(memory.store, (ms) => {
    time = ms;
  });
  time = later;

  const sqlite = new ComparedStore(openSqliteStore({ path, types: testTypes, now: () => later }));

  for (const [place, question] of referenceQuestions.entries()) {
    const expected = await memory.answer(({ store }) => question(store));
    expect(await sqlite.answer(({ store }) => question(store)), `question ${place}`).toEqual(expected);
  }
  await sqlite.store.close?.();
});

it("there is a fixture for every version", () => {
  expect(readdirSync(fixtures)).toEqual(["version-1.sql", "version-2.sql", "version-3.sql"]);
});
