// Verifies: decision 0092: what the figures of requests say.
import { expect, it } from "vitest";
import { percentText } from "../../src/requests/request-words.ts";

it("says 100 % of no less than all", () => {
  const said = [99_700, 100_000, 102_000, 420].map((part) => percentText(part, 100_000));

  expect(said).toEqual(["99 %", "100 %", "102 %", "0 %"]);
  expect(percentText(0, 0)).toBe("");
});
