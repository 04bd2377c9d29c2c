// Verifies: no test is red by the clock of a busy machine: nothing of Vitest is told to wait for less than a minute.
import { describe, expect, it } from "vitest";
import { shortTimeouts } from "./short-timeouts.ts";
import { sourcesBelow } from "./workspace.ts";

const files = sourcesBelow(".", "{{packages/*,apps/*,xtdb}/test/**/*.ts,tools/**/*.test.ts}").filter(
  ({ path }) => path !== "tools/short-timeouts.test.ts",
);
const minute = 60_000;

describe("a timeout in a test", () => {
  it("is at least a minute, wherever it stands", () => {
    const short = files.flatMap(({ path, text }) => shortTimeouts(text).map((place) => `${path}:${place}`));

    expect(files.length).toBeGreaterThan(500);
    expect(short).toEqual([]);
  });
});

describe("a timeout that is too short", () => {
  it.each([
    ["an option", 'it("a", { timeout: 5_000 }, () => {\n});', "1: 5_000 ms"],
    ["an option over lines", 'it("a", {\n  timeout: 5_000,\n}, () => {\n});', "2: 5_000 ms"],
    ["an option of a wait", "await vi.waitFor(() => ask(), { timeout: 900, interval: 1 });", "1: 900 ms"],
    ["a setting", "vi.setConfig({ testTimeout: 60_000, hookTimeout: 20_000 });", "1: 20_000 ms"],
    ["a constant", "const timeout = 1_000;", "1: 1_000 ms"],
    ["the last argument", '  it("a", async () => {\n    await b();\n  }, 30_000);', "3: 30_000 ms"],
    ["the last argument of a hook", "beforeAll(async () => {\n  await b();\n}, 10_000);", "3: 10_000 ms"],
    ["the last argument on one line", "afterAll(() => close(), 10_000);", "1: 10_000 ms"],
    ["the last argument of a wait", "await vi.waitFor(() => ask(), 500);", "1: 500 ms"],
    ["a wait without one", "await vi.waitFor(() => expect(ask()).toBe(1));", "1: a wait of one second"],
    ["a wait over lines without one", "  await vi.waitFor(() => {\n    ask();\n  });", "1: a wait of one second"],
  ])("is found as %s", (_, text, place) => {
    expect(shortTimeouts(`${text}\n`)).toEqual([place]);
  });

  it.each([
    `it("a", { timeout: ${minute} }, () => {});`,
    "  setTimeout(() => {\n  }, 5);",
    'const call = { tool: "bash", args: { timeout: 5, command: "make" } };',
    "await vi.waitFor(() => ask(), 12 * settleMs);",
    "await vi.waitFor(() => ask(), { timeout });",
    "  await vi.waitFor(\n    async () => {\n      ask();\n    },\n    { timeout: 60_000 },\n  );",
    "await vi.waitFor(() => expect(ask()).toBe(1), 60_000);",
    'it("a", () => {\n  const b = list.map((c) => {\n  }, 1);\n});',
  ])("is not %s", (text) => {
    expect(shortTimeouts(`${text}\n`)).toEqual([]);
  });
});
