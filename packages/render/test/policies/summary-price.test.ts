// Verifies: design 7.6, 7.8: what everything rewritten anyway may cost.
import { expect, it } from "vitest";
import { lines, Script } from "../support/script.ts";

/** A session of small calls on many files, whose cache went cold. */
function cold(outputLines: number) {
  const script = new Script();
  for (let file = 0; file < 60; file += 1) script.read(`src/some/folder/file-number-${file}.ts`, "x");
  script.call("bash", { command: "make" }, lines(outputLines));
  script.idle(3);
  script.session.cache = "cold";
  return script.request().decision;
}

it("A cold fold sums the pool up where it saves as much, and leaves it where it does not.", () => {
  expect(cold(400).summary?.rows.length).toBeGreaterThan(10);
  expect(cold(12)).toMatchObject({ fold: { reason: "cold" } });
  expect(cold(12).summary).toBeUndefined();
});
