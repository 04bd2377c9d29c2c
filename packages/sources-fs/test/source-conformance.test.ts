// @module-tag long
// Verifies: source/1, SSOT 5.3, 5.6, 5.9, 5.11, on a folder.
import { sourceSuite } from "@cm/testkit";
import { describe, it } from "vitest";
import { openFolderSubject } from "./support/source-subject.ts";

describe("the source of files fulfils source/1", () => {
  for (const { id, clause, title, run } of sourceSuite.cases) {
    it(`${id} (${clause}) ${title}`, () => run(openFolderSubject));
  }
});
