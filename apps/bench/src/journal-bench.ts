import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listSessions, loadEntriesFromFile, SessionManager } from "@cm/journal";
import { absolute, compared, type Figure, median } from "./figure.ts";

const shape = { bytes: 100_000_000, appends: 3000, sessions: 1000, rounds: 5 };

/** Session files by themselves: a long one is loaded, one is written line by line, many are listed. */
export async function journalBench(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "cm-bench-"));
  try {
    return [await loading(folder), await appending(folder), await listing(folder)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function loading(folder: string): Promise<Figure> {
  const path = join(folder, "long.jsonl");
  writeFileSync(path, sessionOf(shape.bytes));
  const ours = await bestOf(() => loadEntriesFromFile(path));
  const text = readFileSync(path, "utf8");
  const parse = await bestOf(() => parsedLines(text));
  return compared(
    { id: "journal.load", what: "processor time of loading a session of 100 MB, best of five", unit: "ms", goal: 2 },
    ours,
    { what: "`JSON.parse` of its lines, which are in memory", value: parse },
  );
}

async function appending(folder: string): Promise<Figure> {
  const session = SessionManager.create("/work", folder, { agentDir: folder, terminalId: null });
  session.appendMessage({ role: "assistant", content: "begun" });
  await session.flush();
  const times: number[] = [];
  for (let count = 0; count < shape.appends; count += 1) {
    const started = performance.now();
    session.appendMessage({ role: "user", content: said });
    await session.ensureOnDisk();
    times.push(performance.now() - started);
  }
  await session.close();
  const what = "a message of 2,000 characters until it is in the file, without fsync, median";
  return absolute({ id: "journal.append", what, unit: "ms", goal: 0.1 }, [median(times)]);
}

async function listing(folder: string): Promise<Figure> {
  const sessions = join(folder, "many");
  mkdirSync(sessions);
  for (let count = 0; count < shape.sessions; count += 1) {
    writeFileSync(join(sessions, `${count}.jsonl`), sessionOf(20_000));
  }
  const what = `processor time of listing ${shape.sessions} sessions, best of five`;
  const best = await bestOf(() => listSessions("/work", sessions));
  return absolute({ id: "journal.list", what, unit: "ms", goal: 300 }, [best]);
}

const said = "What a tool printed, as it stands in a session. ".repeat(42).slice(0, 2000);

function sessionOf(bytes: number): string {
  const timestamp = "2026-02-16T10:20:30.000Z";
  const lines = [JSON.stringify({ type: "session", version: 3, id: "s", timestamp, cwd: "/work" })];
  for (let count = 0, length = 0; length < bytes; count += 1) {
    const message = {
      role: count % 2 === 0 ? "user" : "assistant",
      content: [{ type: "text", text: said.slice(0, 200 + ((count * 37) % 1800)) }],
      timestamp: 1_771_237_230_000 + count,
    };
    const parentId = count === 0 ? null : `e${count - 1}`;
    const line = JSON.stringify({ type: "message", id: `e${count}`, parentId, timestamp, message });
    lines.push(line);
    length += line.length + 1;
  }
  return `${lines.join("\n")}\n`;
}

function parsedLines(text: string): unknown[] {
  const values: unknown[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    values.push(JSON.parse(text.slice(start, end)));
    start = end + 1;
  }
  return values;
}

/** Milliseconds of the processor, in all threads. */
async function bestOf(work: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < shape.rounds; round += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}
