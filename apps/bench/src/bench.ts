#!/usr/bin/env node
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fromCaller } from "@cm/experiments/commands/caller-folder";
import { writeGeneratedRecording } from "@cm/replay/generated";
import { type AlignedColumn, alignedLines } from "@cm/terminal-text/tables";
import { Command } from "commander";
import { exchangeBench } from "./exchange-bench.ts";
import type { Figure } from "./figure.ts";
import { flatBench } from "./flat/flat-bench.ts";
import { governanceBench } from "./governance-bench.ts";
import { journalBench } from "./journal-bench.ts";
import { lineageBench } from "./lineage-bench.ts";
import { piBench } from "./pi/pi-bench.ts";
import { postgresBench } from "./postgres/postgres-bench.ts";
import { replayBench } from "./replay-bench.ts";
import { requestBench } from "./request-bench.ts";
import { serverBench } from "./server/server-bench.ts";
import { sessionsBench } from "./sessions/sessions-bench.ts";
import { sourcesBench } from "./sources/sources-bench.ts";
import { storeBench } from "./store-bench.ts";
import { xtdbBench } from "./xtdb/xtdb-bench.ts";

interface BenchOptions {
  readonly session?: string;
  readonly json?: string;
}

/** Every group of figures by its name on the command line. */
const groups: Readonly<Record<string, (file: string) => Promise<readonly Figure[]>>> = {
  store: () => storeBench(),
  lineage: () => lineageBench(),
  server: () => serverBench(),
  governance: () => governanceBench(),
  request: () => requestBench(join(import.meta.dirname, "requests/fixed-view.js")),
  replay: (file) => replayBench(file, fileURLToPath(import.meta.resolve("@cm/experiments/cli"))),
  journal: () => journalBench(),
  exchange: async () =>
    exchangeBench(fileURLToPath(new URL("dist/cm.js", import.meta.resolve("@cm/cli/package.json")))),
  sources: () => sourcesBench(join(import.meta.dirname, "sources/index-tree.js")),
  sessions: () =>
    sessionsBench({
      long: join(import.meta.dirname, "sessions/long-session.js"),
      wide: join(import.meta.dirname, "sessions/wide-session.js"),
      resume: join(import.meta.dirname, "sessions/resume-session.js"),
      opening: join(import.meta.dirname, "sessions/opening-session.js"),
    }),
  flat: () => flatBench(join(import.meta.dirname, "flat/flat-session.js")),
  pi: () =>
    piBench({
      longBranch: join(import.meta.dirname, "pi/long-branch.js"),
      start: join(import.meta.dirname, "pi/start-of-pi.js"),
    }),
  postgres: () => postgresBench(),
  xtdb: (file) => xtdbBench(file),
};

async function bench(names: readonly string[], options: BenchOptions): Promise<void> {
  const unknown = names.filter((name) => !Object.hasOwn(groups, name));
  const file = options.session === undefined ? undefined : fromCaller(options.session);
  if (unknown.length > 0 || (file !== undefined && !existsSync(file))) {
    const reason =
      unknown.length > 0 ? `Known groups: ${Object.keys(groups).join(", ")}.` : `There is no file ${file}.`;
    process.stderr.write(`${reason}\n`);
    process.exitCode = 2;
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "cm-bench-"));
  try {
    const generated = join(folder, "generated-session.jsonl");
    if (file === undefined) writeGeneratedRecording(generated);
    const figures: Figure[] = [];
    for (const name of names.length > 0 ? names : Object.keys(groups)) {
      process.stderr.write(`Measuring ${name} ...\n`);
      figures.push(...((await groups[name]?.(file ?? generated)) ?? []));
    }
    process.stdout.write(`${table(figures)}\n`);
    if (options.json !== undefined) writeWhole(fromCaller(options.json), figures);
    if (figures.some(({ ok }) => !ok)) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const columns: readonly AlignedColumn[] = [
  { name: "figure", alignment: "left" },
  { name: "what", alignment: "left" },
  { name: "value", alignment: "right" },
  { name: "compared with", alignment: "left" },
  { name: "ratio", alignment: "right" },
  { name: "goal", alignment: "right" },
  { name: "ok", alignment: "right" },
];

function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ id, what, value, unit, peer, ratio, goal, ok }) => ({
    figure: id,
    what,
    value: `${value} ${unit}`,
    "compared with": peer === null ? "" : `${peer.what}: ${peer.value} ${unit}`,
    ratio: `${ratio ?? ""}`,
    goal: goal === null ? "" : `<= ${goal}`,
    ok: ok ? "yes" : "NO",
  }));
  return alignedLines(columns, rows).join("\n");
}

function writeWhole(path: string, figures: readonly Figure[]): void {
  const partial = `${path}.partial-${process.pid}`;
  writeFileSync(partial, `${JSON.stringify(figures, null, 2)}\n`);
  renameSync(partial, path);
}

await new Command("npm run bench --")
  .description("Measures goals and ratios; ends with status 1 where a goal is missed.")
  .argument("[groups...]", `what to measure: ${Object.keys(groups).join(", ")}; all by default`)
  .option("--session <file>", "a recorded session to replay; default: one that is generated")
  .option("--json <file>", "also write the figures as JSON")
  .action((names: string[], options: BenchOptions) => bench(names, options))
  .parseAsync();
