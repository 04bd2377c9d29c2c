// Verifies: docs/prompt.md shows the bytes that a model gets, and every line of ours in them is one that `parse` knows.
import { readFileSync, writeFileSync } from "node:fs";
import type { IncomingResult, RenderedPrompt } from "@cm/context-log";
import { createMemoryStore } from "@cm/object-model";
import { parse } from "@cm/prompt-grammar";
import { layouts } from "@cm/render";
import { describe, expect, it } from "vitest";
import { openSession } from "../src/index.ts";

const page = new URL("../../../docs/prompt.md", import.meta.url);

const order = `export interface Item { price: number; count: number }

export function sum(items: Item[]): number {
  return items.reduce((total, item) => total + item.price * item.count, 0);
}

export function discounted(total: number, percent: number): number {
  return total - percent;
}

export function total(items: Item[], percent = 0): number {
  return Math.round(discounted(sum(items), percent));
}`;

const tests = `import { total } from "./order.js";

test("the total of two items", () => {
  expect(total([{ price: 10, count: 2 }])).toBe(20);
});

test("a discount of ten percent", () => {
  expect(total([{ price: 10, count: 2 }], 10)).toBe(18);
});`;

const failing = `> shop@1.0.0 test
> jest

 PASS  src/stock.test.ts
 PASS  src/tax.test.ts
 FAIL  src/order.test.ts
  a discount of ten percent
    Expected: 18
    Received: 10

Tests: 1 failed, 14 passed, 15 total`;

interface Call {
  readonly tool: string;
  readonly args: Record<string, string>;
  readonly output: string;
}

const calls: readonly Call[] = [
  { tool: "bash", args: { command: "npm test 2>&1 | tail -12" }, output: failing },
  { tool: "read", args: { path: "src/order.ts" }, output: order },
  { tool: "read", args: { path: "src/order.test.ts" }, output: tests },
  {
    tool: "edit",
    args: {
      path: "src/order.ts",
      oldText: "  return total - percent;",
      newText: "  return total * (1 - percent / 100);",
    },
    output: "Successfully replaced text in src/order.ts.",
  },
  { tool: "bash", args: { command: "npm test 2>&1 | tail -3" }, output: "Tests: 15 passed, 15 total" },
  { tool: "bash", args: { command: "npm run lint" }, output: "no problems" },
  { tool: "bash", args: { command: "git diff --stat" }, output: " src/order.ts | 2 +-\n 1 file changed" },
  { tool: "bash", args: { command: "git commit -qam 'Take a share, not an amount'" }, output: "" },
];

/** A session of eight calls, then a pause in which the provider forgets its cache, then the next prompt. */
async function prompts(): Promise<{ readonly before: RenderedPrompt; readonly after: RenderedPrompt }> {
  const session = await openSession({
    store: createMemoryStore(),
    layout: layouts.log,
    session: "shop",
    systemPrompt: "You are a coding agent.",
  });
  await session.receive([{ role: "user", text: "A discount of ten percent takes ten off. Mend it." }]);
  for (const [place, { tool, args, output }] of calls.entries()) {
    await session.assemble();
    const callId = `call_${place + 1}`;
    const result: IncomingResult = { role: "tool", callId, text: output, failed: false };
    await session.record({
      answer: { role: "assistant", text: "", calls: [{ callId, tool, args }] },
      results: [result],
    });
  }
  const before = await session.assemble();
  await session.record({ answer: { role: "assistant", text: "Mended: the discount is a share now." } });
  await session.receive([{ role: "user", text: "Good. Now round to cents." }]);
  const after = await session.assemble({ cache: "cold" });
  await session.abandon();
  return { before, after };
}

/** A prompt as text: role, then what the provider gets. */
const shown = ({ messages }: RenderedPrompt): string =>
  messages
    .map(({ role, text, calls: made = [] }) =>
      [
        `<${role}>`,
        ...(text === "" ? [] : [text]),
        ...made.map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`),
      ].join("\n"),
    )
    .join("\n");

const fenced = (text: string): string => `\`\`\`text\n${text}\n\`\`\``;

describe("docs/prompt.md", () => {
  it("shows the prompt before and after a fold to the letter", async () => {
    const { before, after } = await prompts();
    const text = readFileSync(page, "utf8");
    const blocks = [shown(before), shown(after)].map(fenced);
    if (process.env.CM_WRITE_DOCS === "1") {
      let place = 0;
      writeFileSync(
        page,
        text.replace(/```text\n[\s\S]*?\n```/g, () => blocks[place++] ?? ""),
      );
      return;
    }

    for (const block of blocks) expect(text).toContain(block);
  });

  it("shows notices that say what was left out and what brings it back", async () => {
    const { before, after } = await prompts();

    expect(parse(before).filter(({ kind }) => kind === "notice")).toEqual([]);
    const notices = parse(after).flatMap((block) => (block.kind === "notice" ? [block.notice] : []));
    expect(notices).toHaveLength(3);
    for (const notice of notices)
      expect(notice).toMatchObject({ kind: "left-out", id: expect.stringMatching(/^t\d$/) });
  });
});
