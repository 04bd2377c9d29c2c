// Verifies: SSOT 4.4 (10): arguments of a call without a result are cut where no window has room for them, and brought back.
import { messageBytes } from "@cm/context-log";
import { runContextTool } from "@cm/context-tool";
import { createMemoryStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { describe, expect, it } from "vitest";
import { openSession, rebuildPrompts } from "../src/index.ts";

const bytesMax = 12_000;
const written = `the first line\n${"n ".repeat(6_500)}\nmarmots at the end`;
const call = { callId: "w1", tool: "write", args: { path: "a.ts", content: written } };

describe.each(["log", "ssot"] as const)("a large call without a result, under layout %s", (layout) => {
  const open = (store: ReturnType<typeof createMemoryStore>) =>
    openSession({ store, session: "s", layout: layouts[layout], rendererFor, window: { bytesMax } });

  it("is cut in a request that fits, and its turn says what it was", async () => {
    const store = createMemoryStore();
    const session = await open(store);
    await session.receive([{ role: "user", text: "Write it." }]);
    await session.assemble();
    await session.record({ answer: { role: "assistant", text: "I write.", calls: [call] } });

    const { messages } = await session.assemble();
    await session.record({ answer: { role: "assistant", text: "It takes long." } });

    expect(messages.reduce((sum, message) => sum + messageBytes(message), 0)).toBeLessThanOrEqual(bytesMax);
    const asked = messages.flatMap(({ calls = [] }) => calls);
    expect(asked).toMatchObject([{ callId: "w1", args: { path: "a.ts" } }]);
    expect(`${asked[0]?.args.content}`).toMatch(
      /^the first line.* \[cm: \d+ characters left out; cm_context show turn1\]$/s,
    );
    expect((await runContextTool(session, { id: "turn1" })).text).toContain(written);
    await session.receive([{ role: "tool", callId: "w1", text: "written", failed: false }]);
    const later = (await session.assemble()).messages.flatMap(({ calls = [] }) => calls);
    await session.record({ answer: { role: "assistant", text: "Done." } });
    expect(`${later[0]?.args.content}`).toContain("cm_context show t1.input]");
    await session.close();
    for await (const { hash, recordedHash } of rebuildPrompts(store, "s", rendererFor)) expect(hash).toBe(recordedHash);
  });

  it("is found by its words when it has left", async () => {
    const session = await open(createMemoryStore());
    await session.receive([{ role: "user", text: "Write it." }]);
    await session.assemble();
    await session.record({ answer: { role: "assistant", text: "I write.", calls: [call] } });
    for (let n = 0; session.view().log[1]?.kind !== "omitted"; n += 1) {
      await session.receive([{ role: "user", text: `Prompt ${n}. ${"x".repeat(900)}` }]);
      await session.assemble();
      await session.record({ answer: { role: "assistant", text: `Answer ${n}.` } });
    }

    expect((await runContextTool(session, { action: "list", match: "marmots" })).text).toContain(
      "turn1: marmots at the end",
    );
    expect((await runContextTool(session, { id: "turn1" })).text).toContain("marmots at the end");
  });
});
