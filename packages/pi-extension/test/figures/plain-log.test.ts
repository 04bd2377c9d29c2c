// Verifies: SSOT 5.12: Pi alone is taken to compact where Pi's own compaction would cut.
import { forSeeds } from "@cm/testkit";
import { findCutPoint } from "@earendil-works/pi-coding-agent";
import { expect, it } from "vitest";
import { PlainLog } from "../../src/figures/plain-log.ts";
import type { PiMessage } from "../../src/pi/pi-types.ts";
import { answer, branchOf, call, prompt } from "../compaction/support/entries.ts";

const result = (text: string): PiMessage => ({
  ...{ role: "toolResult", toolCallId: "c", toolName: "read", isError: false, timestamp: 0 },
  content: [{ type: "text", text }],
});
const sizes = { history: 400, turn: 40 };

it("keeps what Pi keeps, whatever a session is made of", async () => {
  await forSeeds({ short: 60, long: 2_000, file: "test/figures/plain-log.test.ts" }, (random) => {
    const messages = Array.from({ length: 1 + random.below(30) }, (_, place) => {
      const text = "word ".repeat(1 + random.below(400));
      if (place === 0) return [prompt(text)];
      return random.pick([[prompt(text)], [answer(text)], [call("read", "a.ts"), result(text), result(text)]]);
    }).flat();
    const entries = branchOf(...messages);
    const keep = random.below(4_000);
    const log = logOf(messages);

    const request = log.compact(keep, sizes);

    const cut = findCutPoint(entries, 0, entries.length, keep).firstKeptEntryIndex;
    expect(log.first).toBe(entries[cut]?.id);
    expect(request === undefined).toBe(cut === 0);
  });
});

it("lists the files that were summarized behind the summary, as long as the session lasts", () => {
  const log = logOf([prompt("x"), call("read", "src/a-long-name.ts"), result("y".repeat(4_000)), prompt("go on")]);

  log.compact(1, sizes);

  expect(log.first).toBe("e3");
  expect(log.summaryTokens).toBe((400 + "src/a-long-name.ts".length + 2) / 4);
  expect(log.compact(1, sizes)).toBeUndefined();
});

it("has a summary of its own for the start of a turn that is cut", () => {
  const log = logOf([prompt("x"), call("read", "a"), result("y".repeat(400)), answer("z".repeat(400))]);

  expect(log.compact(100, sizes)?.output).toBe(40 / 4);
});

function logOf(messages: readonly PiMessage[]): PlainLog {
  const log = new PlainLog();
  for (const { id, ...entry } of branchOf(...messages)) if (entry.type === "message") log.add(id, entry.message);
  return log;
}
