// Verifies: T1, T19: a prompt is read in time that follows its length.
import { expect, it } from "vitest";
import { parse } from "../src/index.ts";

it("reads an output of 200,000 lines at once", () => {
  const text = "a\n".repeat(200_000);
  const message = { id: "1", role: "tool", callId: "c1", text, chars: text.length } as const;

  const kept = { messages: 0, chars: 0 };
  const blocks = parse({ layout: "log/10", system: "", messages: [message], chars: text.length, kept });

  expect(blocks.slice(1)).toEqual([{ kind: "result", callId: "c1", text }]);
});
