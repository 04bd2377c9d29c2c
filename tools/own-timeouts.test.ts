// Verifies: no test is red by the clock of a busy machine: none has a limit of its own, and the shared one is for what hangs.
import { describe, expect, it } from "vitest";
import { patienceMs } from "../vitest.shared.ts";
import { ownTimeouts } from "./own-timeouts.ts";
import { sourcesBelow } from "./workspace.ts";

const files = sourcesBelow(".", "{{packages/*,apps/*,xtdb}/test/**/*.ts,tools/**/*.test.ts}").filter(
  ({ path }) => path !== "tools/own-timeouts.test.ts",
);

describe("a limit of time", () => {
  it("is the same for all tests, hooks and waits, and for what hangs", () => {
    const found = files.flatMap(({ path, text }) => ownTimeouts(text).map((place) => `${path}:${place}`));

    expect(files.length).toBeGreaterThan(500);
    expect(found).toEqual([]);
    expect(patienceMs).toBeGreaterThanOrEqual(600_000);
  });
});

describe("a limit of a test's own", () => {
  it.each([
    ["an option", 'it("a", { timeout: 5_000 }, () => {\n});', "1: 5_000"],
    ["an option over lines", 'it("a", {\n  timeout: 5_000,\n}, () => {\n});', "2: 5_000"],
    ["a product", 'it("a", { timeout: 2 * minutes }, () => {\n});', "1: 2 * minutes"],
    ["a shorthand", 'it("a", { timeout }, () => {\n});', "1: timeout"],
    ["an option of a poll", "await expect.poll(ask, { timeout: 900, interval: 1 }).toBe(1);", "1: 900"],
    ["a setting", "vi.setConfig({ hookTimeout: 20_000 });", "1: hookTimeout"],
    ["the last argument", '  it("a", async () => {\n    await b();\n  }, 30_000);', "3: 30_000"],
    ["the last argument of a hook", "beforeAll(async () => {\n  await b();\n}, 10_000);", "3: 10_000"],
    ["the last argument on one line", "afterAll(() => close(), 10_000);", "1: 10_000"],
    ["a wait of Vitest's", "await vi.waitFor(() => expect(ask()).toBe(1));", "1: vi.waitFor"],
  ])("is found as %s", (_, text, place) => {
    expect(ownTimeouts(`${text}\n`)).toEqual([place]);
  });

  it.each([
    "  setTimeout(() => {\n  }, 5);",
    'const call = { tool: "bash", args: { timeout: 5, command: "make" } };',
    "await expect.poll(ask, { interval: 5 }).toBe(1);",
    'it("a", () => {\n  const b = list.map((c) => {\n  }, 1);\n});',
  ])("is not %s", (text) => {
    expect(ownTimeouts(`${text}\n`)).toEqual([]);
  });
});
