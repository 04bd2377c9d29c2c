import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { CmError } from "@cm/object-model";
import manifest from "../../package.json" with { type: "json" };
import { limits } from "../limits.ts";
import { namedPolicies, type PolicyName } from "../policies/named-policies.ts";
import { presetFor } from "../policies/named-policy.ts";
import { readRecording } from "../recordings/read-recording.ts";
import type { Recording } from "../recordings/recording.ts";
import { Databases } from "../replay/databases.ts";
import { OutputFolder } from "../replay/output-folder.ts";
import { Pause } from "../replay/pause.ts";
import { PromptDump } from "../replay/prompt-dump.ts";
import { absentFiles, presentFiles, type ReplayFiles } from "../replay/replay-files.ts";
import { replayRecording } from "../replay/replay-recording.ts";
import type { RunResult } from "../replay/run-result.ts";
import { reportHtml } from "../report/html.ts";
import { withProgress } from "../report/progress.ts";
import { resultTable } from "../report/table.ts";
import { fromCaller } from "./caller-folder.ts";
import { checkTogether, pricesOf, type ReplayCommandOptions } from "./replay-options.ts";

interface LoadedRecording {
  readonly file: string;
  readonly recording: Recording;
}

export interface ReplaySetting {
  /** As the user typed it, for the report. */
  readonly command: string;
  /** The files of each run. Default: those below `--root`, or none that anybody can look at. */
  readonly filesOf?: (recording: Recording) => ReplayFiles | Promise<ReplayFiles>;
}

/** `replay FILE...`: every recording under every policy, then table, report and databases. */
export async function replay(
  files: readonly string[],
  options: ReplayCommandOptions,
  { command, filesOf = recordedFiles(options) }: ReplaySetting,
): Promise<void> {
  checkTogether(files, options);
  if (files.length > limits.filesMax) throw new CmError("replay/usage", `More than ${limits.filesMax} files at once.`);
  // All input is read before the first result is begun: bad input leaves nothing behind.
  const recordings: LoadedRecording[] = [];
  for (const file of files) {
    const recording = await readRecording(fromCaller(file), { activePath: options.path === true });
    recordings.push({ file: basename(file), recording });
    for (const warning of recording.warnings.slice(0, limits.warningsMax))
      process.stderr.write(`${basename(file)}: ${warning}\n`);
  }
  const output = new OutputFolder(fromCaller(options.out));
  const runs = await buildResults(recordings, options, { output, command, filesOf });
  output.keep();
  print(runs, options, output);
}

async function buildResults(
  recordings: readonly LoadedRecording[],
  options: ReplayCommandOptions,
  { output, command, filesOf }: Required<ReplaySetting> & { readonly output: OutputFolder },
): Promise<readonly RunResult[]> {
  const pause = new Pause();
  try {
    const runs = await runAll(recordings, options, { output, pause, filesOf });
    await writeResults(runs, output, command);
    return runs;
  } catch (error) {
    output.discard();
    throw error;
  } finally {
    pause.end();
  }
}

async function writeResults(runs: readonly RunResult[], output: OutputFolder, command: string): Promise<void> {
  const html = await reportHtml(runs, { command, createdAt: new Date().toISOString(), version: manifest.version });
  writeFileSync(output.building("report.html"), html);
  writeFileSync(output.building("results.json"), `${JSON.stringify(runs)}\n`);
}

async function runAll(
  recordings: readonly LoadedRecording[],
  options: ReplayCommandOptions,
  {
    output,
    pause,
    filesOf,
  }: Pick<Required<ReplaySetting>, "filesOf"> & { readonly output: OutputFolder; readonly pause: Pause },
): Promise<readonly RunResult[]> {
  const databases = await Databases.open(options.store, output, options.shared === true);
  for (const note of databases.notes) process.stderr.write(`${note}\n`);
  const dump = options.dump === undefined ? undefined : new PromptDump(fromCaller(options.dump));
  const sessions = new SessionNames(options.shared === true);
  try {
    const tasks = recordings.flatMap(({ file, recording }) =>
      options.policy.map((policy) => ({
        title: `${file} ${policy}`,
        run: (report: (done: number, total: number) => void) =>
          runOne(
            { file, recording, policy, session: sessions.next(recording.id, policy) },
            { options, databases, dump, filesOf, onCall: (done, total) => pause.after(() => report(done, total)) },
          ),
      })),
    );
    const runs = await withProgress(tasks);
    dump?.keep();
    return runs;
  } catch (error) {
    dump?.discard();
    throw error;
  } finally {
    await databases.close();
  }
}

async function runOne(
  { file, recording, policy, session }: LoadedRecording & { readonly policy: PolicyName; readonly session: string },
  {
    options,
    databases,
    dump,
    filesOf,
    onCall,
  }: Pick<Required<ReplaySetting>, "filesOf"> & {
    readonly options: ReplayCommandOptions;
    readonly databases: Databases;
    readonly dump: PromptDump | undefined;
    readonly onCall: (done: number, total: number) => Promise<void>;
  },
): Promise<RunResult> {
  const started = performance.now();
  const database = await databases.forRun(file, policy);
  const prices = pricesOf(options);
  let replayed: ReplayFiles | undefined;
  try {
    replayed = await filesOf(recording);
    const { calls, parts, totals } = await replayRecording(recording, {
      files: replayed,
      store: database.store,
      preset: presetFor(namedPolicies[policy], recording),
      session,
      prices,
      dump,
      onCall,
    });
    return {
      file,
      recording: recording.id,
      policy,
      layout: namedPolicies[policy].renderer.layout,
      session: database.namespace === undefined ? session : `${database.namespace}/${session}`,
      store: options.store,
      database: database.file,
      prices,
      headChars: limits.headChars,
      calls,
      parts,
      totals,
      seconds: (performance.now() - started) / 1000,
      warnings: [...databases.notes, ...recording.warnings],
    };
  } finally {
    await replayed?.close();
    await database.release();
  }
}

function recordedFiles({ root }: ReplayCommandOptions): Required<ReplaySetting>["filesOf"] {
  return root === undefined ? absentFiles : (recording) => presentFiles(recording, fromCaller(root));
}

/** In a database of its own a session keeps its name; in a shared one policies and equal names are told apart. */
class SessionNames {
  readonly #shared: boolean;
  readonly #taken = new Set<string>();

  constructor(shared: boolean) {
    this.#shared = shared;
  }

  next(recording: string, policy: string): string {
    if (!this.#shared) return recording;
    let name = `${recording}-${policy}`;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${recording}-${policy}-${count}`;
    this.#taken.add(name);
    return name;
  }
}

function print(runs: readonly RunResult[], { json, dump, store }: ReplayCommandOptions, output: OutputFolder): void {
  if (json === true) {
    const summaries = runs.map(({ calls, parts, ...run }) => ({ ...run, calls: calls.length }));
    // The largest resident size so far; the system counts it in KiB.
    const memoryMb = Math.round(process.resourceUsage().maxRSS / 1024);
    process.stdout.write(`${JSON.stringify({ out: output.path, report: "report.html", memoryMb, runs: summaries })}\n`);
    return;
  }
  const color = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  const lines = [
    resultTable(runs, { color }),
    `Report    ${join(output.path, "report.html")}`,
    ...(store === "sqlite" ? [`Databases ${join(output.path, "*.sqlite")}`] : []),
    ...(dump === undefined ? [] : [`Requests  ${fromCaller(dump)}`]),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}
