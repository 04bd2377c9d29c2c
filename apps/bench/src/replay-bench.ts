import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultPrices } from "@cm/context-log";
import { type Recording, readRecording } from "@cm/recordings";
import { layouts } from "@cm/render";
import { replayRecording } from "@cm/replay";
import { openSqliteStore } from "@cm/store-sqlite";
import { z } from "zod";
import { absolute, type Figure, median } from "./figure.ts";
import { type MeasuredCommit, measuredStore } from "./measured-store.ts";

const rounds = 3;

/** Steps around the fiftieth, and as many around the last but three: enough of them for a median. */
const window = { early: 50, late: 450, halfWidth: 25 };

/** The main job: a long session through session, render and store-sqlite. */
export async function replayBench(file: string, cli: string): Promise<readonly Figure[]> {
  const recording = await readRecording(file);
  const chars = textChars(recording);
  const runs: InProcessRun[] = [];
  for (let round = 0; round < rounds; round += 1) runs.push(await replayOnce(recording));
  const commands = Array.from({ length: rounds }, () => runCommand(file, cli));
  const late = Math.min(window.late, (runs[0]?.stepMs.length ?? 0) - window.halfWidth);
  const flat = (values: (run: InProcessRun) => readonly number[]): readonly number[] =>
    runs.map((run) => medianAround(values(run), late) / medianAround(values(run), window.early));
  return [
    absolute(
      {
        id: "replay.seconds",
        what: "replay of one session under all policies, command start to end",
        unit: "s",
        goal: 10,
      },
      commands.map(({ seconds }) => seconds),
    ),
    absolute(
      { id: "replay.memory", what: "largest memory of the same command", unit: "MB", goal: 300 },
      commands.map(({ memoryMb }) => memoryMb),
    ),
    absolute(
      { id: "step.commit.p50", what: "commit of one step, log on store-sqlite, median", unit: "ms", goal: 1 },
      runs.map(({ commits }) => median(commits.map(({ ms }) => ms))),
    ),
    absolute(
      {
        id: "step.time.flat",
        what: `time of step ${late} over step ${window.early}, medians of 50`,
        unit: "ratio",
        goal: 1.3,
      },
      flat(({ stepMs }) => stepMs),
    ),
    absolute(
      {
        id: "step.bytes.flat",
        what: `bytes beside content of step ${late} over step ${window.early}`,
        unit: "ratio",
        goal: 1.3,
      },
      flat(({ commits }) => commits.map(({ bookBytes }) => bookBytes)),
    ),
    absolute(
      { id: "database.size", what: "database of the session over its text", unit: "bytes per character", goal: 2 },
      runs.map(({ databaseBytes }) => databaseBytes / chars),
    ),
  ];
}

interface InProcessRun {
  readonly commits: readonly MeasuredCommit[];
  /** Assembling the request and writing the step. */
  readonly stepMs: readonly number[];
  readonly databaseBytes: number;
}

async function replayOnce(recording: Recording): Promise<InProcessRun> {
  const folder = mkdtempSync(join(tmpdir(), "cm-bench-"));
  try {
    const path = join(folder, "bench.sqlite");
    const store = openSqliteStore({ path });
    const commits: MeasuredCommit[] = [];
    const { calls } = await replayRecording(recording, {
      store: measuredStore(store, commits),
      layout: layouts.log,
      session: recording.id,
      prices: defaultPrices,
    });
    await store.close();
    return {
      commits,
      stepMs: calls.map(({ assembleMs, recordMs }) => assembleMs + recordMs),
      databaseBytes: statSync(path).size,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const commandOutput = z.object({ memoryMb: z.number() });

/** The command as a user gives it, in a process of its own that is started as this one was. */
function runCommand(file: string, cli: string): { readonly seconds: number; readonly memoryMb: number } {
  const folder = mkdtempSync(join(tmpdir(), "cm-bench-"));
  try {
    const started = performance.now();
    const output = execFileSync(
      process.execPath,
      [...process.execArgv, cli, "replay", file, "--json", "--out", folder],
      {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    const seconds = (performance.now() - started) / 1000;
    return { seconds, memoryMb: commandOutput.parse(JSON.parse(output)).memoryMb };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function medianAround(values: readonly number[], step: number): number {
  return median(values.slice(Math.max(0, step - window.halfWidth), step + window.halfWidth));
}

/** Texts and arguments of a session, each once. */
function textChars({ events }: Recording): number {
  return events.reduce((sum, event) => {
    const args =
      event.kind === "assistant" ? event.calls.reduce((all, call) => all + JSON.stringify(call.args).length, 0) : 0;
    return sum + event.text.length + args;
  }, 0);
}
