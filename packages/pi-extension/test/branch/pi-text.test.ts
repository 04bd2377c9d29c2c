// Verifies: decision 63: what was said reaches the model in the words that Pi itself would use.
import { convertToLlm } from "@earendil-works/pi-coding-agent";
import { describe, expect, it } from "vitest";
import { itemsOfMessages } from "../../src/branch/branch-items.ts";
import { saidOf } from "../../src/branch/said-text.ts";
import type { PiMessage } from "../../src/pi/pi-types.ts";
import { dot, text } from "../support/items.ts";

const command = {
  ...({ role: "bashExecution", command: "make", output: "out", exitCode: 0 } as const),
  ...{ cancelled: false, truncated: false, timestamp: 1 },
};

const messages: Readonly<Record<string, PiMessage>> = {
  "a prompt": { role: "user", content: "hello", timestamp: 1 },
  "a prompt with a picture": { role: "user", content: [text("look"), dot], timestamp: 1 },
  "an extension's message": { role: "custom", customType: "x", content: "note", display: true, timestamp: 1 },
  "a command": command,
  "a command without output": { ...command, output: "" },
  "a command that failed": { ...command, exitCode: 2 },
  "a command that was ended": { ...command, cancelled: true },
  "a long command": { ...command, truncated: true, fullOutputPath: "/tmp/out" },
  "a summary of a branch": { role: "branchSummary", summary: "over there", fromId: "x", timestamp: 1 },
  "a summary of what was": { role: "compactionSummary", summary: "before", tokensBefore: 1, timestamp: 1 },
};

describe("what was said", () => {
  it.each(Object.keys(messages))("reads as Pi puts it to the model: %s", (name) => {
    const message = messages[name] as PiMessage;

    const [item] = itemsOfMessages([message]);

    const [pis] = convertToLlm([message]);
    const blocks = pis?.role === "user" && typeof pis.content !== "string" ? pis.content : [text(String(pis?.content))];
    if (item?.kind !== "said") throw new Error(name);
    const { text: said, images } = saidOf(item);
    expect([text(said), ...images]).toEqual(blocks);
  });
});
