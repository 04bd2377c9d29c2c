import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, defaultPrices } from "@cm/object-model";
import { layouts } from "@cm/render";
import { readRecording } from "../recordings/read-recording.ts";
import { replayRecording } from "../replay/replay-recording.ts";
import { absolute, type Figure, median } from "./figure.ts";
import { writeGeneratedRecording } from "./generated-recording.ts";

const rounds = 3;
const calls = 2_000;

/** Requests this late in the session are looked at, and as many at a tenth of its length. */
const sample = 150;

/** Deciding and rendering one request of a very long session, log in memory. */
export async function requestBench(): Promise<readonly Figure[]> {
  const runs: (readonly number[])[] = [];
  for (let round = 0; round < rounds; round += 1) runs.push(await assembleTimes());
  const late = (times: readonly number[]) => times.slice(-sample);
  const early = (times: readonly number[]) => times.slice(calls / 10, calls / 10 + sample);
  return [
    absolute(
      { id: "request.p99", what: `assembling a request at ${calls} steps, 99 of 100`, unit: "ms", goal: null },
      runs.map((times) => percentile(late(times), 0.99)),
    ),
    absolute(
      { id: "request.growth", what: `the median there, over that at ${calls / 10} steps`, unit: "ratio", goal: null },
      runs.map((times) => median(late(times)) / median(early(times))),
    ),
  ];
}

async function assembleTimes(): Promise<readonly number[]> {
  const folder = mkdtempSync(join(tmpdir(), "cm-bench-"));
  try {
    const file = join(folder, "very-long.jsonl");
    writeGeneratedRecording(file, calls);
    const recording = await readRecording(file);
    const figures = await replayRecording(recording, {
      store: createMemoryStore(),
      preset: layouts.log,
      session: recording.id,
      prices: defaultPrices,
    });
    return figures.calls.map(({ assembleMs }) => assembleMs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
