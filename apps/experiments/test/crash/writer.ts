// A process that writes one session, step after step, until it is killed: node writer.ts KIND WHERE FOLDER POLICY SEED.
// It reads files that it changes itself, is given results late, commands, closes and takes up again. Prints one line for
// each step that was acknowledged, with what the session was then, and before and after each time it closes.
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { IncomingResult, StepRecord } from "@cm/context-log";
import { layouts, rendererFor } from "@cm/render";
import { openSession, type Session } from "@cm/session";
import { createFilesystemSource } from "@cm/sources-fs";
import { createRandom } from "@cm/testkit";
import { openShared } from "../support/open-shared.ts";
import { digestOf } from "./digest.ts";

const [kind = "", where = "", folder = "", policy = "log", seed = "0"] = process.argv.slice(2);
const random = createRandom(Number(seed));
const store = openShared({ kind: kind === "XTDB" ? "XTDB" : "SQLite", where });
const source = createFilesystemSource({ roots: [folder] });
const layout = policy === "ssot" ? layouts.ssot : layouts.log;
const commands = ["pin", "unpin", "activate", "deactivate", "show", "hide"] as const;

for (;;) {
  const session = await openSession({ store, layout, rendererFor, session: "killed", sources: [source] });
  for (let turn = 1 + random.below(6); turn > 0; turn -= 1) await runTurn(session, turn);
  await session.receive([{ role: "user", text: "Read this when you are back." }]);
  say({ closing: digestOf(session.wrapper(), session.chat(), await session.objects()) });
  await session.close();
  say({ isClosed: true });
}

async function runTurn(session: Session, turn: number): Promise<void> {
  await session.receive([{ role: "user", text: `Prompt ${turn} of a session that will be killed.` }]);
  for (let step = 1 + random.below(4); step > 0; step -= 1) {
    if (random.chance(0.5)) writeFileSync(join(folder, nameOfFile()), `${seed} ${turn} ${step}\n`.repeat(20));
    await session.assemble();
    const { record, late } = await stepOf();
    const { n } = await session.record(record);
    say({ step: n, digest: digestOf(session.wrapper(), session.chat(), await session.objects()) });
    await command(session);
    if (late !== undefined) await session.receive([late]);
  }
}

async function command(session: Session): Promise<void> {
  const objects = await session.objects();
  if (objects.length === 0) return;
  await session.command({ action: random.pick(commands), id: random.pick(objects).id });
}

/** A call that reads a file, and now and then one whose result comes later. */
async function stepOf(): Promise<{ readonly record: StepRecord; readonly late: IncomingResult | undefined }> {
  const path = join(folder, nameOfFile());
  const binding = await source.bind(path);
  const lines = readFileSync(path, "utf8").split("\n");
  const callId = `call_${random.below(5)}`;
  const late = random.chance(0.3) ? `late_${random.below(5)}` : undefined;
  const calls = [
    { callId, tool: "read", args: { path } },
    ...(late === undefined ? [] : [{ callId: late, tool: "bash", args: { command: "sleep" } }]),
  ];
  const seen = { binding, as: "read" as const, span: { startLine: 1, endLine: lines.length } };
  return {
    record: {
      answer: { role: "assistant", text: "", calls },
      results: [{ role: "tool", callId, text: lines.join("\n"), failed: false, files: [seen] }],
    },
    late: late === undefined ? undefined : { role: "tool", callId: late, text: `Done: ${seed}.`, failed: false },
  };
}

function nameOfFile(): string {
  return `file-${random.below(7)}.txt`;
}

function say(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
