import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GeneratedSession, generatedSession } from "@cm/replay/generated";
import { InvalidArgumentError } from "commander";
import { limits } from "../limits.ts";

/** `--generated SEED:CALLS,...` */
export function parseGenerated(value: string): readonly GeneratedSession[] {
  const parts = value.split(",");
  if (parts.length > limits.generatedMax)
    throw new InvalidArgumentError(`At most ${limits.generatedMax} recordings are generated at once.`);
  return parts.map((part) => {
    const [, seed, calls] = /^(\d{1,9}):([1-9]\d{0,8})$/.exec(part.trim()) ?? [];
    if (seed === undefined || Number(calls) > limits.generatedCallsMax)
      throw new InvalidArgumentError(`SEED:CALLS are two numbers, with at most ${limits.generatedCallsMax} calls.`);
    return { seed: Number(seed), calls: Number(calls) };
  });
}

/** Files of generated recordings, as long as the work runs. The same seed gives the same bytes everywhere. */
export async function withGenerated<T>(
  generated: readonly GeneratedSession[],
  work: (files: readonly string[]) => Promise<T>,
): Promise<T> {
  if (generated.length === 0) return work([]);
  const folder = mkdtempSync(join(tmpdir(), "cm-generated-"));
  try {
    return await work(
      generated.map(({ seed, calls }) => {
        const file = join(folder, `generated-${seed}-${calls}.jsonl`);
        writeFileSync(file, generatedSession({ seed, calls }));
        return file;
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
