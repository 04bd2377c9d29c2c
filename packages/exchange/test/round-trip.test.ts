import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore } from "@cm/object-model";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportSession, importSession } from "../src/index.ts";
import { allOf } from "./all-of.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cm-exchange-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const usage = { input: 9, output: 4, cacheRead: 800, cacheWrite: 0, cost: { total: 0.1 } };
const session = { type: "session", version: 3, id: "thin", timestamp: "2026-01-02T03:04:05.000Z", cwd: "/work" };
const call = { type: "toolCall", id: "t1", name: "read", arguments: { path: "a.ts", long: "y".repeat(200) } };
const entries = [
  { type: "model_change", id: "m", parentId: null, timestamp: "2026-01-02T03:04:05.000Z", provider: "p", modelId: "x" },
  {
    type: "message",
    id: "a",
    parentId: "m",
    timestamp: "2026-01-02T03:04:05.000Z",
    message: { role: "user", content: "Read it. ".repeat(20), odd: 1 },
  },
  {
    type: "message",
    id: "b",
    parentId: "a",
    timestamp: "2026-01-02T03:04:06.000Z",
    message: {
      role: "assistant",
      content: [{ type: "text", text: "Yes." }, call],
      usage,
      stopReason: "toolUse",
      model: "m",
      provider: "p",
      api: "q",
    },
  },
  {
    type: "message",
    id: "c",
    parentId: "b",
    timestamp: "2026-01-02T03:04:07.000Z",
    message: {
      role: "toolResult",
      toolCallId: "t1",
      toolName: "read",
      content: [{ type: "text", text: "z".repeat(300) }],
      isError: false,
      details: { a: "@x" },
    },
  },
  { type: "label", id: "d", parentId: "c", timestamp: "2026-01-02T03:04:07.000Z", targetId: "a", label: "here" },
];

test("the title before oh-my-pi's header comes back for oh-my-pi, and not for Pi", async () => {
  const file = join(folder, "titled.jsonl");
  const title = { type: "title", v: 1, title: "@home", pad: "   " };
  const header = { ...session, id: "titled" };
  const text = (...lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const own = entries.slice(1, 3).map((entry) => ({ ...entry, parentId: entry.id === "a" ? null : entry.parentId }));
  await writeFile(file, text(title, header, ...own));
  const store = createMemoryStore();

  await importSession(store, file);
  const [omp, pi] = [
    await exportSession(store, "titled", { as: "omp", cwd: "/" }),
    await exportSession(store, "titled", { as: "pi", cwd: "/" }),
  ];

  expect((await allOf(omp.lines)).join("")).toBe(text(title, header, ...own));
  expect((await allOf(pi.lines)).join("")).toBe(text(header, ...own));
  expect(await importSession(store, file)).toMatchObject({ outcome: "unchanged" });
});

test("a file without branches comes back line by line", async () => {
  const file = join(folder, "thin.jsonl");
  const text = [session, ...entries].map((line) => `${JSON.stringify(line)}\n`).join("");
  await writeFile(file, text);
  const store = createMemoryStore();

  const receipt = await importSession(store, file);
  const { lines, facts } = await exportSession(store, "thin", { as: "pi", cwd: "/" });

  expect(receipt).toMatchObject({ session: "thin", agent: "pi", outcome: "imported", steps: 1, entries: 5 });
  expect((await allOf(lines)).join("")).toBe(text);
  expect(facts).toEqual({ entries: 5, forks: 0, erased: 0, missing: 0, redacted: 0 });
  expect(await importSession(store, file)).toMatchObject({ outcome: "unchanged", steps: 0 });
});
