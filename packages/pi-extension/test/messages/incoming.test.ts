// Verifies: what a file or a provider says of tokens keeps no answer out of the session.
import { expect, it } from "vitest";
import { usageOf } from "../../src/messages/incoming.ts";
import type { PiAssistant } from "../../src/pi/pi-types.ts";
import { answerMessage } from "../support/items.ts";

const told = (usage: unknown) =>
  usageOf({ kind: "answer", entry: "e0", message: { ...answerMessage([]), usage: usage as PiAssistant["usage"] } });

it("takes whole tokens, and none for what is no number of them", () => {
  const usage = { input: 7.5, output: -4, cacheRead: null, cacheWrite: 2 };

  expect(told(usage)).toEqual({ input: 8, output: 0, cacheRead: 0, cacheWrite: 2 });
  expect([told(undefined), told({ input: 0.2, output: 0, cacheRead: 0, cacheWrite: 0 })]).toEqual([
    undefined,
    undefined,
  ]);
});
