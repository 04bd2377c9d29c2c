import { readRecording } from "../../recordings/read-recording.ts";
import type { Figure } from "../figure.ts";
import { commitBench } from "./commit-bench.ts";
import { contentBench } from "./content-bench.ts";
import { doorBench } from "./door-bench.ts";
import { readBench } from "./read-bench.ts";
import { stepBench } from "./step-bench.ts";

/** The shared engine: commits, steps, reads, content, and what the door costs. */
export async function xtdbBench(file: string): Promise<readonly Figure[]> {
  const recording = await readRecording(file);
  return [
    ...(await commitBench()),
    ...(await stepBench(recording)),
    ...(await readBench()),
    ...(await contentBench()),
    ...(await doorBench()),
  ];
}
