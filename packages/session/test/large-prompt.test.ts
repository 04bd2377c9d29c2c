// Verifies: SSOT 4.4 (10): a prompt larger than its window stands as far as it fits, and what it is about stays beside it.
import { messageBytes } from "@cm/context-log";
import { runContextTool } from "@cm/context-tool";
import { createMemoryStore } from "@cm/object-model";
import { layouts } from "@cm/render";
import { expect, it } from "vitest";
import { openSession } from "../src/index.ts";

const bytesMax = 40_000;

it.each(["log", "ssot"] as const)(
  "a prompt larger than the window keeps half of it under layout %s",
  async (layout) => {
    const session = await openSession({
      ...{ store: createMemoryStore(), session: "s", layout: layouts[layout], window: { bytesMax } },
    });
    await session.receive([{ role: "user", text: "Look first." }]);
    await session.assemble();
    const calls = [{ callId: "c1", tool: "bash", args: { command: "ls" } }];
    const results = [{ role: "tool" as const, callId: "c1", text: "the only file is main.ts", failed: false }];
    await session.record({ answer: { role: "assistant", text: "I look.", calls }, results });
    const said = `Read this. ${"pasted words\n".repeat(5_000)} That is all.`;
    await session.receive([{ role: "user", text: said }]);

    const { messages } = await session.assemble();

    const bytes = messages.reduce((sum, message) => sum + messageBytes(message), 0);
    expect(bytes).toBeLessThanOrEqual(bytesMax);
    const shown = messages.find(({ text }) => text.startsWith("Read this."))?.text ?? "";
    expect(Buffer.byteLength(shown)).toBeGreaterThan(bytesMax * 0.45);
    expect(shown).toMatch(
      /^Read this\. pasted words\n.*\n\[cm: \d+ characters left out here; cm_context show turn2\]\n.* That is all\.$/s,
    );
    expect(messages.some(({ text }) => text.includes("the only file is main.ts"))).toBe(true);
    expect((await runContextTool(session, { id: "turn2", match: "That is all" })).text).toContain("That is all.");
    await session.close();
  },
);
