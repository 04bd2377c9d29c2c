// Verifies: SSOT 5.6 (what Pi's calls touched becomes objects)
import { join } from "node:path";
import { createMemoryStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { openSession } from "@cm/session";
import { expect, it, onTestFinished } from "vitest";
import type { ToolCall } from "../../src/files/recorded-touch.ts";
import { filesOf, folderWith } from "./session-files.ts";

/** A session that has recorded one step with these calls of Pi in it. */
async function sessionWith(top: string, calls: readonly ToolCall[]) {
  const files = filesOf(top);
  const { source, redact } = files;
  const store = createMemoryStore();
  const session = await openSession({ store, layout: layouts.log, rendererFor, sources: [source], redact });
  onTestFinished(() => session.close());
  await session.receive([{ role: "user", text: "Look." }]);
  await session.assemble();
  await session.record({
    answer: { role: "assistant", text: "", calls: calls.map(({ tool }, n) => ({ callId: `c${n}`, tool, args: {} })) },
    results: await Promise.all(
      calls.map(async (call, n) => ({
        ...({ role: "tool", callId: `c${n}`, text: call.text, failed: call.failed } as const),
        files: await files.bind(files.touched(call)),
      })),
    ),
  });
  return session;
}

const call = (tool: string, args: ToolCall["args"], text: string): ToolCall => ({ tool, args, text, failed: false });

it("a cut read makes an object of the whole file, and the lines that were shown", async () => {
  const text = Array.from({ length: 9 }, (_, n) => `line ${n + 1}\n`).join("");
  const top = folderWith({ "app/a.ts": text });
  const remark = "[7 more lines in file. Use offset=3 to continue.]";

  const session = await sessionWith(top, [call("read", { path: "a.ts", limit: 2 }, `line 1\nline 2\n\n${remark}`)]);

  const file = (await session.objects()).find(({ kind }) => kind === "file");
  expect(file?.text).toBe(text);
  expect(session.seen(file?.id ?? "")).toMatchObject([{ toolcall: "c0", startLine: 1, endLine: 2 }]);
});

it("a listing makes stubs of the files that exist, and of nothing else that it names", async () => {
  const top = folderWith({ "app/src/a.ts": "a", "app/src/b.ts": "b", "app/src/.env": "KEY=1", "app/a.ts": "other" });

  const session = await sessionWith(top, [call("ls", { path: "src" }, ".env\na.ts\nb.ts\ngone.ts\nsub/")]);

  const stubs = (await session.objects()).filter(({ kind }) => kind === "file");
  expect(stubs.map(({ path, text, textless }) => ({ path, text, textless }))).toEqual([
    { path: join(top, "app/src/a.ts"), text: null, textless: "unread" },
    { path: join(top, "app/src/b.ts"), text: null, textless: "unread" },
  ]);
});
