import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sealDocument, type Write } from "@cm/object-model";
import { openSqliteStore } from "@cm/store-sqlite";
import { absolute, compared, type Figure, median } from "./figure.ts";

const rounds = 3;
const commits = 300;

/** The embedded store by itself, beside bare SQLite with the same settings and the same texts. */
export async function storeBench(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "cm-bench-"));
  try {
    const opened: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const started = performance.now();
      const store = openSqliteStore({ path: join(folder, `open-${round}.sqlite`) });
      opened.push(performance.now() - started);
      await store.close();
    }
    const own = await commitTimes(join(folder, "own.sqlite"));
    const bare = bareTimes(join(folder, "bare.sqlite"));
    return [
      absolute(
        { id: "store.open", what: "store-sqlite opens a new file, schema included", unit: "ms", goal: 20 },
        opened,
      ),
      compared(
        { id: "store.commit", what: "commit of one tool call of 4,000 characters, median", unit: "ms", goal: null },
        median(own),
        { what: "the same text by one INSERT of bare node:sqlite, WAL, synchronous=FULL", value: median(bare) },
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function commitTimes(path: string): Promise<readonly number[]> {
  const store = openSqliteStore({ path });
  const times: number[] = [];
  for (let n = 0; n < commits; n += 1) {
    const document = sealDocument(
      { type: "toolcall", id: `call_${n}` },
      { content: sample(n), tool: "bash", args: { command: "cat" }, status: "ok", chat_ref: "chat:bench" },
    );
    const writes: readonly Write[] = [{ document, expect: "absent" }];
    const started = performance.now();
    await store.commit(writes);
    times.push(performance.now() - started);
  }
  await store.close();
  return times;
}

function bareTimes(path: string): readonly number[] {
  const database = new DatabaseSync(path);
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE toolcall(id TEXT PRIMARY KEY, content TEXT) STRICT",
  );
  const insert = database.prepare("INSERT INTO toolcall VALUES (?, ?)");
  const times: number[] = [];
  for (let n = 0; n < commits; n += 1) {
    const started = performance.now();
    insert.run(`call_${n}`, sample(n));
    times.push(performance.now() - started);
  }
  database.close();
  return times;
}

/** Text like a tool's output, different each time. */
function sample(n: number): string {
  return Array.from({ length: 80 }, (_, line) => `src/module-${(n * 7 + line) % 97}.ts:${line}: value ${n * 31 + line}`)
    .join("\n")
    .slice(0, 4000)
    .padEnd(4000, " .");
}
