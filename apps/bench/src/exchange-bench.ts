import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatedSession } from "@cm/replay/generated";
import { z } from "zod";
import { absolute, type Figure } from "./figure.ts";

/** Calls of a session make its file about 2.5 MB. */
const shape = { bytes: 100_000_000, calls: 900, rounds: 3 };

const used = z.object({ userCPUTime: z.number(), systemCPUTime: z.number(), maxRSS: z.number() });

/** Session files of 100 MB through `cm import` into a new store, in a process of its own; then once more. */
export function exchangeBench(cli: string): readonly Figure[] {
  const folder = mkdtempSync(join(tmpdir(), "cm-bench-"));
  try {
    const files = writtenSessions(join(folder, "sessions"));
    const rounds = Array.from({ length: shape.rounds }, (_, round) => {
      const store = join(folder, `${round}.sqlite`);
      const command = ["--store", store, "import", "--create", ...files];
      const [first, again] = [runMeasured(folder, cli, command), runMeasured(folder, cli, command)];
      const bytes = statSync(store).size;
      rmSync(store);
      return { first, again, bytes };
    });
    const what = `processor time of \`cm import\`, 100 MB of sessions in ${files.length} files`;
    return [
      absolute(
        { id: "exchange.import", what, unit: "s", goal: 60 },
        rounds.map(({ first }) => first.seconds),
      ),
      absolute(
        { id: "exchange.import.memory", what: "largest memory of it", unit: "MB", goal: 300 },
        rounds.map(({ first }) => first.memoryMb),
      ),
      absolute(
        { id: "exchange.again", what: "processor time of the same command once more", unit: "s", goal: null },
        rounds.map(({ again }) => again.seconds),
      ),
      absolute(
        { id: "exchange.database", what: "the database of them", unit: "MB", goal: null },
        rounds.map(({ bytes }) => bytes / 1e6),
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writtenSessions(folder: string): readonly string[] {
  mkdirSync(folder);
  const files: string[] = [];
  for (let seed = 1, bytes = 0; bytes < shape.bytes; seed += 1) {
    const text = generatedSession({ seed, calls: shape.calls });
    const file = join(folder, `${seed}.jsonl`);
    writeFileSync(file, text);
    bytes += Buffer.byteLength(text);
    files.push(file);
  }
  return files;
}

/** What a process used is known to itself, at its end. */
function runMeasured(
  folder: string,
  cli: string,
  args: readonly string[],
): { readonly seconds: number; readonly memoryMb: number } {
  const told = join(folder, "used.json");
  const tell = `import { writeFileSync } from "node:fs";
    process.on("exit", () => writeFileSync(${JSON.stringify(told)}, JSON.stringify(process.resourceUsage())));`;
  const preload = ["--import", `data:text/javascript,${encodeURIComponent(tell)}`];
  execFileSync(process.execPath, [...preload, cli, ...args], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const { userCPUTime, systemCPUTime, maxRSS } = used.parse(JSON.parse(readFileSync(told, "utf8")));
  return { seconds: (userCPUTime + systemCPUTime) / 1e6, memoryMb: maxRSS / 1024 };
}
