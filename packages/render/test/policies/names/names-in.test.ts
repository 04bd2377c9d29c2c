// Verifies: SSOT 4.4 (3): what counts as a name.
import { describe, expect, it } from "vitest";
import { namesIn } from "../../../src/policies/names/names-in.ts";

describe("the names in a text", () => {
  it.each<[string, string, readonly string[]]>([
    ["an identifier", "const maxRetries = 3", ["maxRetries"]],
    ["a number", "order 20261122 was sent", ["20261122"]],
    ["a hash", "at 9f86d081884c7d65.", ["9f86d081884c7d65"]],
    ["a path with its longer pieces", "see src/render_prompt.ts:4", ["src/render_prompt.ts", "render_prompt"]],
    ["a name of exactly 8 characters, and none of 7", "abcdefg1 abcdef1", ["abcdefg1"]],
    ["no ordinary word, at the start of a sentence or in it", "Otherwise everything continues", []],
    ["no ordinary word beside a dash", "well-beginning", ["well-beginning"]],
    [
      "what stands before and behind an escaped line end",
      "first\\nsecondName\\tthirdName\\r",
      ["secondName", "thirdName"],
    ],
  ])("%s", (_, text, expected) => {
    expect([...namesIn(text)]).toEqual(expected);
  });

  it("are found once each, in the order of the text", () => {
    expect([...namesIn("beta_name alpha_name beta_name")]).toEqual(["beta_name", "alpha_name"]);
  });
});
