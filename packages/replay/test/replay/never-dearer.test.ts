// @module-tag long
// Verifies: SSOT 1.2, 4.4 (6), "never dearer, counted whole": system prompt, tools, messages and the tool of ours.
import { CostMeter, type Layout, providerPrices, type RenderedPrompt } from "@cm/context-log";
import { contextTool } from "@cm/context-tool";
import { createMemoryStore } from "@cm/object-model";
import type { RecordedEvent, Recording } from "@cm/recordings";
import { layouts } from "@cm/render";
import { beforeAll, describe, expect, it } from "vitest";
import { generatedContent } from "../../src/generate/generated-content.ts";
import { replayRecording } from "../../src/replay-recording.ts";

/** Pi's system prompt and tools, in characters. */
const headChars = 6_000;
const toolChars = JSON.stringify(contextTool).length;
const prices = providerPrices.anthropic5m;

/** What the whole bill may be at most, as a share of the plain agent's. */
const wanted = { eighth: 1.03, later: 1.01 };

interface Session {
  readonly name: string;
  readonly recording: Recording;
  /** Where a share is above the wanted one, and by how much. */
  readonly above?: Partial<typeof wanted>;
  /** The share after all requests. */
  readonly atEnd?: number;
}

const nothingToLeaveOut = recordingOf(commands(() => "ok"));
const usual = (seed: number): Recording => recordingOf(generatedContent({ seed, calls: 150, lines: 300 }).events);
const sessions: readonly Session[] = [
  {
    name: "outputs that are ok",
    recording: nothingToLeaveOut,
    // The declaration is a tenth of the head, and there is nothing that could be left out.
    above: { eighth: 1.095, later: 1.09 },
    atEnd: 1.06,
  },
  {
    name: "outputs of lines that begin like notices",
    recording: recordingOf(commands(noticeLines)),
    // The declaration and, for each line, the backslash. The first folds earn both.
    above: { eighth: 1.08 },
  },
  { name: "reads and edits, first", recording: usual(1) },
  { name: "reads and edits, second", recording: usual(2) },
  { name: "reads and edits, third", recording: usual(3) },
];

describe.each(sessions)("a session with $name", ({ recording, above = {}, atEnd = 0.8 }) => {
  let ours: readonly Bill[] = [];
  let plain: readonly Bill[] = [];
  beforeAll(async () => {
    ({ ours, plain } = await bothBills(recording));
  });
  const shares = (): readonly number[] => ours.map(({ billed }, at) => billed / (plain[at]?.billed ?? 0));

  it("costs from the 25th request on 2 % more than the plain agent at most, before it what is lent, and the tool", () => {
    const over = ours.map(({ billed }, at) => {
      const { billed: alone = 0, chars = 0 } = plain[at] ?? {};
      const lent = at < 8 ? 0 : Math.max(0, Math.min(8, 24 - at));
      return billed - toolBill(at + 1) - 1.02 * (alone + lent * prices.read * chars);
    });

    expect(Math.max(...over)).toBeLessThanOrEqual(0);
  });

  it.each([
    ["at the eighth request", "eighth", (all: readonly number[]) => all[7] ?? Number.NaN],
    ["at each request from the 27th on", "later", (all: readonly number[]) => Math.max(...all.slice(26))],
  ] as const)("is no more than the wanted share %s, or what is said above", (_when, bound, shareOf) => {
    const share = shareOf(shares());

    expect(share).toBeLessThanOrEqual(above[bound] ?? wanted[bound]);
    if (above[bound] !== undefined) expect(share).toBeGreaterThan(wanted[bound]);
  });

  it("has earned what it paid by the end, where there is anything to leave out", () => {
    expect(shares().at(-1)).toBeLessThan(atEnd);
  });
});

it("a session in which nothing can be left out costs the declaration of the tool more, and nothing else", async () => {
  const { ours, plain } = await bothBills(nothingToLeaveOut);

  for (const [at, { billed }] of ours.entries())
    expect(billed - (plain[at]?.billed ?? 0)).toBeCloseTo(toolBill(at + 1), 3);
});

/** What the declaration of the tool alone costs in so many requests. */
const toolBill = (requests: number): number => toolChars * (prices.write + (requests - 1) * prices.read);

interface Bill {
  /** Of all requests so far. */
  readonly billed: number;
  /** Of this request. */
  readonly chars: number;
}

interface Bills {
  readonly ours: readonly Bill[];
  readonly plain: readonly Bill[];
}

const known = new Map<Recording, Promise<Bills>>();

/** Replayed once for all that is asked of it. */
function bothBills(recording: Recording): Promise<Bills> {
  const bills = known.get(recording) ?? replayBoth(recording);
  known.set(recording, bills);
  return bills;
}

async function replayBoth(recording: Recording): Promise<Bills> {
  const ours = await billsOf(recording, layouts.log, headChars + toolChars);
  return { ours, plain: await billsOf(recording, layouts.plain, headChars) };
}

async function billsOf(recording: Recording, layout: Layout, head: number): Promise<readonly Bill[]> {
  const meter = new CostMeter({ prices, headChars: head });
  const bills: Bill[] = [];
  const dump = {
    add(prompt: RenderedPrompt) {
      meter.add(prompt);
      bills.push({ billed: meter.totals.billed, chars: prompt.chars + head });
    },
  };
  const store = createMemoryStore();
  await replayRecording(recording, { store, layout, session: "s", prices, headChars: head, dump });
  return bills;
}

function noticeLines(call: number): string {
  return Array.from({ length: 30 }, (_, line) => `[cm: line ${line} of log ${call}]`).join("\n");
}

/** A command 300 times. */
function commands(output: (call: number) => string): readonly RecordedEvent[] {
  const calls = Array.from({ length: 300 }, (_, call): readonly RecordedEvent[] => {
    const id = `call ${call}`;
    const command = { id, name: "bash", args: { command: `./step-${call}.sh` } };
    return [
      { kind: "assistant", text: "", thinking: [], calls: [command] },
      { kind: "result", callId: id, tool: "bash", text: output(call), failed: false, attachments: [] },
    ];
  });
  return [{ kind: "user", text: "Please find out why the build is slow.", attachments: [] }, ...calls.flat()];
}

function recordingOf(events: readonly RecordedEvent[]): Recording {
  return { format: "pi", id: "made", cwd: "/generated", systemPrompt: "", events, skippedLines: 0, warnings: [] };
}
