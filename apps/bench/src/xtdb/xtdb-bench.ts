import { readRecording } from "@cm/recordings";
import { isNodeError, prepare } from "@cm/xtdb-node";
import type { Figure } from "../figure.ts";
import { commitBench } from "./commit-bench.ts";
import { contentBench } from "./content-bench.ts";
import { doorBench } from "./door-bench.ts";
import { readBench } from "./read-bench.ts";
import { sessionsBench } from "./sessions-bench.ts";
import { stepBench } from "./step-bench.ts";
import { stepRates } from "./step-rates.ts";

/**
 * The shared engine: commits, steps, reads, content, and what the door costs. Where no node can be started it says so in
 * one loud line and measures nothing.
 */
export async function xtdbBench(file: string): Promise<readonly Figure[]> {
  try {
    await prepare({ progress: (line) => process.stderr.write(`${line} ...\n`) });
  } catch (error) {
    if (!isNodeError(error)) throw error;
    process.stderr.write(`SKIPPED: the figures of XTDB. ${error.message}\n`);
    process.exitCode = 2;
    return [];
  }
  const recording = await readRecording(file);
  return [
    ...(await commitBench()),
    ...(await stepBench(recording)),
    ...(await stepRates()),
    ...(await sessionsBench(recording)),
    ...(await readBench()),
    ...(await contentBench()),
    ...(await doorBench()),
  ];
}
