// Verifies: SSOT 7.4: released files stay readable: their schema never changes.
import { sha256 } from "@cm/object-model";
import { expect, it } from "vitest";
import { schemaVersion1, schemaVersion2 } from "../src/schema.ts";

// A change here makes files unreadable. Add a migration instead.
it.each([
  [
    "schema 1",
    schemaVersion1.replaceAll(/^--.*$/gm, ""),
    "444e87382238b5d0cf3a8761f3f2caf4b68c555521c15bb2eb746d1615da259f",
  ],
  ["schema 2", schemaVersion2, "536157369a508abf3e3acb3a6445eee1f4f817d4050185c968dd8797659ca9a8"],
])("%s is frozen", (_name, value, hash) => {
  expect(sha256(value)).toBe(hash);
});
