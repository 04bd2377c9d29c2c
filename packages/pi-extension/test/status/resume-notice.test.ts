// Verifies: SSOT 3.6: people are told which files changed while a session was not open.
import { createMemoryStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { openSession, type ResumeReport } from "@cm/session";
import { createMemorySource, MemoryWorld } from "@cm/testkit";
import { expect, it } from "vitest";
import { resumeNotice } from "../../src/status/resume-notice.ts";

const nothing: ResumeReport = { changed: [], deleted: [], unreachable: [], checkouts: [] };
const file = (path: string) => ({ id: path, alias: "f1", path });

it("says nothing where nothing changed", () => {
  expect(resumeNotice(nothing)).toBeUndefined();
});

it.each<readonly [Partial<ResumeReport>, string]>([
  [{ changed: [file("a.ts")] }, "1 file changed (a.ts)"],
  [{ changed: ["a", "b", "c", "d", "e"].map(file) }, "5 files changed (a, b, c, and 2 more)"],
  [{ deleted: [file("a"), file("b")], changed: [file("c")] }, "1 file changed (c); 2 files deleted (a, b)"],
  [{ unreachable: [{ ...file("a"), reason: "unplugged" }] }, "1 file out of reach (a)"],
  [{ checkouts: [{}, {}] }, "2 checkouts moved"],
])("tells of %j", (report, said) => {
  expect(resumeNotice({ ...nothing, ...report })).toBe(`Since this session was last open: ${said}. The model is told.`);
});

it("keeps the end of a long path, and shows what cannot be seen", () => {
  const notice = resumeNotice({ ...nothing, changed: [file(`${"long/".repeat(99)}\u001b[2Jend.ts`)] }) ?? "";

  expect(notice).toContain("\\u{1b}[2Jend.ts)");
  expect(notice.length).toBeLessThan(200);
});

it("tells what a real session finds when it is resumed", async () => {
  const world = new MemoryWorld("w");
  world.put("a.ts", Buffer.from("old"));
  const options = { store: createMemoryStore(), layout: layouts.log, rendererFor, session: "s" };
  const first = await openSession({ ...options, sources: [createMemorySource(world)] });
  await first.assemble();
  const files = [{ binding: { type: "memory", world: "w", path: "a.ts" }, as: "read" as const }];
  await first.record({
    answer: { role: "assistant", text: "", calls: [{ callId: "c", tool: "read", args: {} }] },
    results: [{ role: "tool", callId: "c", text: "old", failed: false, files }],
  });
  await first.close();
  world.put("a.ts", Buffer.from("new"));

  const { opened } = await openSession({ ...options, sources: [createMemorySource(world)] });

  expect(resumeNotice(opened.report ?? nothing)).toContain("1 file changed (memory:w/a.ts)");
});
