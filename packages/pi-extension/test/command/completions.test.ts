// Verifies: SSOT 5.12: what can be typed after /cm is proposed.
import { expect, it } from "vitest";
import { commandLimits } from "../../src/command/command-limits.ts";
import { completions } from "../../src/command/completions.ts";
import { subcommands } from "../../src/command/subcommands.ts";
import { commandWorld } from "../support/command-world.ts";
import { managedWorld, offline } from "../support/managed-over.ts";

it.each([
  ["", subcommands.map(({ name }) => name).join("|")],
  ["s", "status|show"],
  ["o", "objects|on|off"],
  [
    "objects ",
    "objects files|objects calls|objects shown|objects hidden|objects pinned|objects tool:|objects type:|objects text:|objects path:",
  ],
  ["objects files p", "objects files pinned|objects files path:"],
  ["show f", "show f2|show f1"],
  ["pin t3", ""],
  ["off", ""],
  ["objects", ""],
  ["objects files", ""],
  ["pin b.ts", "pin f2"],
  ["pin b.t", "pin f2"],
  ["history make", "history t3"],
  ["show f1 f", ""],
  ["doctor f", ""],
  ["constructor ", ""],
])("after `/cm %s` come %s", async (typed, expected) => {
  const { managed } = await managedWorld();

  const proposals = await completions(commandWorld(managed).host, typed);

  expect(proposals.map(({ value }) => value).join(expected.includes("|") ? "|" : " ")).toBe(expected);
});

it("are few, and none where the session cannot be asked", async () => {
  const { managed, session } = await managedWorld();
  const ids = Array.from({ length: 60 }, (_, at) => `more${at}`);
  await session.assemble();
  await session.record({
    answer: { role: "assistant", text: "", calls: ids.map((callId) => ({ callId, tool: "bash", args: {} })) },
    results: ids.map((callId) => ({ role: "tool", callId, text: callId, failed: false })),
  });
  const gone = await managedWorld(offline);
  const failing = { ...managed, list: () => Promise.reject(new Error("broken")) };

  expect(await completions(commandWorld(managed).host, "show t")).toHaveLength(commandLimits.proposalsMax);
  expect(await completions(commandWorld(gone.managed).host, "show t")).toEqual([]);
  expect(await completions(commandWorld(failing).host, "show t")).toEqual([]);
  expect(await completions(commandWorld(undefined).host, "show t")).toEqual([]);
});
