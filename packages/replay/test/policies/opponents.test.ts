// Verifies: opponents do what their description says, at the size that it names.
import type { PromptMessage, RenderedPrompt } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { folds, type Replayed, type Request, replayed } from "./support/replayed.ts";

const charsPerToken = 4;
const headChars = 16_000;

describe("clear-100k", () => {
  it("clears for the first time above 100,000 tokens, and keeps the newest three outputs", async () => {
    const run = await replayed("clear-100k");

    const [first] = folds(run);
    expect(largestBefore(run, first)).toBeLessThanOrEqual(100_000 * charsPerToken);
    const outputs = toolMessages(first).map(({ text }) => text);
    expect(outputs.slice(0, -3).filter((text) => text.length > 100)).toEqual([]);
    expect(outputs.slice(-3).some((text) => text.length > 1_000)).toBe(true);
    expect(folds(run)).toHaveLength(1);
  });
});

describe("mask-10", () => {
  it("shows an output for ten calls and no longer", async () => {
    const { requests } = await replayed("mask-10");

    const ages = requests.flatMap(({ prompt }) =>
      prompt.messages.map((message, at) => ({ message, age: age(prompt, at) })),
    );
    const outputs = ages.filter(
      ({ message }) => message.role === "tool" && (message.text.length > 1_000 || isCleared(message)),
    );
    const oldest = Math.max(...outputs.flatMap((output) => (isCleared(output.message) ? [] : [output.age])));
    const youngest = Math.min(...outputs.flatMap((output) => (isCleared(output.message) ? [output.age] : [])));
    expect([oldest, youngest]).toEqual([9, 10]);
  });
});

describe("watermarks-60k-30k", () => {
  it("folds when the prompt passes the high mark, until it is under the low one", async () => {
    const run = await replayed("watermarks-60k-30k");

    const sizes = run.requests.map(({ prompt }) => prompt.chars + headChars);
    const folded = folds(run).map(({ prompt }) => prompt.chars + headChars);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(60_000 * charsPerToken);
    expect(folded.length).toBeGreaterThan(1);
    expect(Math.max(...folded)).toBeLessThanOrEqual(30_000 * charsPerToken);
  });
});

describe("pi-compaction-64k", () => {
  it("keeps a summary and about the newest 20,000 tokens when less than the reserve is left", async () => {
    const run = await replayed("pi-compaction-64k");

    const sizes = run.requests.map(({ prompt }) => prompt.chars + headChars);
    expect(Math.max(...sizes)).toBeLessThanOrEqual((64_000 - 16_384) * charsPerToken);
    expect(folds(run).length).toBeGreaterThan(1);
    for (const { prompt } of folds(run)) {
      const [summary, ...kept] = prompt.messages;
      expect(summary?.text).toMatch(/^What was said before[\s\S]*<read-files>[\s\S]*part-0\.ts/);
      expect(summary?.text.length).toBeLessThan(8_000);
      expect(chars(kept)).toBeLessThanOrEqual(20_000 * charsPerToken);
    }
  });
});

describe("pi-compaction", () => {
  it("sends the plain log as long as the window has room", async () => {
    const run = await replayed("pi-compaction");

    expect(run.totals.billedShare).toBe(1);
  });
});

describe("references", () => {
  it("shows the outputs of the newest call alone", async () => {
    const run = await replayed("references");

    const shown = run.requests.map((request) => toolMessages(request).filter(({ text }) => text.length > 1_000).length);

    expect(Math.max(...shown)).toBe(1);
  });
});

const toolMessages = (request: Request | undefined): readonly PromptMessage[] =>
  (request?.prompt.messages ?? []).filter(({ role }) => role === "tool");

const isCleared = ({ text }: PromptMessage): boolean => text === "[Old tool output was cleared]";

/** Calls that were answered since. */
const age = ({ messages }: RenderedPrompt, at: number): number =>
  messages.slice(at).filter(({ role }) => role === "assistant").length;

const chars = (messages: readonly PromptMessage[]): number => messages.reduce((sum, message) => sum + message.chars, 0);

/** The longest request before one. */
function largestBefore({ requests }: Replayed, request: Request | undefined): number {
  const before = requests.slice(0, request === undefined ? 0 : requests.indexOf(request));
  return Math.max(...before.map(({ prompt }) => prompt.chars + headChars));
}
