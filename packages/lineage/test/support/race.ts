import { expect } from "vitest";
import type { Lineage } from "../../src/index.ts";
import { Runner, type RunnerPlace } from "./runner-process.ts";

/**
 * Several processes start runs in one conversation at once: exactly one wins, and all others get its id. The winner is
 * killed, and the conversation is free for the next.
 */
export async function raceAndKill(
  place: RunnerPlace,
  open: (owner: string) => Promise<Lineage>,
  { processes, startsEach }: { readonly processes: number; readonly startsEach: number },
): Promise<void> {
  const owners = Array.from({ length: processes }, (_, n) => `racer-${n}`);
  const runners = owners.map((owner) => new Runner("race", owner, place));
  try {
    for (const runner of runners) expect(await runner.said()).toEqual({ ready: true });

    for (const runner of runners) runner.tell(`${startsEach}`);
    const answers = await Promise.all(runners.map((runner) => runner.said()));

    const starts = answers.map((answer) => answer?.starts as readonly Record<string, string>[]);
    expect(starts.flat().flatMap((start) => start.fault ?? [])).toEqual([]);
    const won = starts.flat().flatMap((start) => start.won ?? []);
    expect(won).toHaveLength(1);
    expect(starts.flat().filter((start) => start.lost === won[0])).toHaveLength(processes * startsEach - 1);

    const winner = starts.findIndex((ofOne) => ofOne.some((start) => start.won !== undefined));
    await runners[winner]?.kill();
    const again = await open(owners[winner] ?? "");
    expect(await again.recover()).toEqual(won);
    const other = runners[(winner + 1) % processes];
    other?.tell("5");
    const next = (await other?.said())?.starts as readonly Record<string, string>[];
    expect(next.filter((start) => start.won !== undefined)).toHaveLength(1);
  } finally {
    for (const runner of runners) await runner.kill();
  }
}
