// Verifies: that the replay of recordings would see what is wrong with a request.
import { expect, it } from "vitest";
import type { PiMessage } from "../../src/pi/pi-types.ts";
import { Branch } from "../support/branch.ts";
import { promptFaults } from "./legal-prompt.ts";

const own = (() => {
  const branch = new Branch();
  branch.ask("begin");
  branch.call("call_1", { output: "one" });
  branch.call("call_2", { output: "two" });
  branch.ask("go on");
  return branch.messages;
})();

const without = (...places: readonly number[]): PiMessage[] => own.filter((_, at) => !places.includes(at));

it("finds nothing wrong with what Pi itself would send", () => {
  expect(promptFaults(own, own)).toEqual([]);
});

it.each([
  ["nothing at all", [], ["The answers call", "lost", "begins with nothing"]],
  ["a call without its result", without(2), ["stands before the results of call_1"]],
  ["a result without its call", without(1), ["out of its place", "The answers call"]],
  ["an answer that is missing with its result", without(3, 4), ["The answers call"]],
  ["results that were exchanged", [own[0], own[1], own[4], own[3], own[2], own[5]], ["out of its place"]],
  ["a lost prompt", without(5), ['lost "go on"']],
  ["an answer at the end", own.slice(0, 4), ["have no result", "ends with an answer"]],
])("says what is wrong with %s", (_what, made, said) => {
  const faults = promptFaults(
    made.flatMap((message) => message ?? []),
    own,
  ).join("\n");

  for (const words of said) expect(faults).toContain(words);
});
