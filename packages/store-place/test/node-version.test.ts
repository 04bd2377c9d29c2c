// Verifies: which versions of Node can open a store.
import { expect, it } from "vitest";
import { isNodeSupported, supportedNodes } from "../src/index.ts";

it.each([
  ["22.18.9", false],
  ["22.19.0", true],
  ["23.11.1", false],
  ["24.0.0", true],
  ["26.1.0", true],
])("takes Node %s: %s", (version, isSupported) => {
  expect(isNodeSupported(version)).toBe(isSupported);
});

it("says which in words", () => {
  expect(supportedNodes).toBe("22.19, or 24 or later");
});
