import { describe, expect, it } from "vitest";
import { optOuts } from "./ledger.ts";
import { sourcesBelow } from "./workspace.ts";

/** The one place where a test may be skipped: it says why, and in CI it fails instead. */
const gate = "tools/requirement.ts";

describe("the tests", () => {
  const files = sourcesBelow(".", "{packages/*/{src,test},apps/*/{src,test},tools}/**/*.{ts,mts,js,mjs}");

  it("are found", () => {
    expect(files.map(({ path }) => path)).toContain("tools/ledger.test.ts");
  });

  it("all run: none is skipped, left to do or preferred", () => {
    const found = files
      .filter(({ path }) => path !== gate)
      .flatMap(({ path, text }) => optOuts(text).map((place) => `${path}:${place}`));

    expect(found).toEqual([]);
  });
});

describe("the search for opt-outs", () => {
  // Put together here, so that this file does not hold what it looks for.
  const call = (method: string, rest = '("title", () => {})'): string => ["it", method].join(".") + rest;

  it.each([
    call("only"),
    call("skip"),
    call("todo", '("title")'),
    call("skipIf", "(windows)"),
    call("runIf", "(linux)"),
    call("concurrent.only"),
    call("each", "").replace("each", "skip.each"),
    ["describe", "skip"].join("."),
    ["x", "it("].join(""),
    `it("title", { ${["skip", " true"].join(":")} }, run)`,
    ["ctx", "skip()"].join("."),
  ])("finds %s", (text) => {
    expect(optOuts(`import x from "y";\n${text}`)).toEqual([expect.stringMatching(/^2: /)]);
  });

  it.each([
    'it("skips the lines that cannot be read", () => {})',
    "const onlyTheLast = items.at(-1);",
    'it.each(cases)("only %s", run)',
    "describe.each(stores)",
    "const limits = { skip: 10 };",
  ])("lets %s pass", (text) => {
    expect(optOuts(text)).toEqual([]);
  });
});
