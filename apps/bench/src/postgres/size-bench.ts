import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultPrices } from "@cm/context-log";
import type { PrivatePostgres } from "@cm/private-postgres";
import { readRecording } from "@cm/recordings";
import { layouts } from "@cm/render";
import { replayRecording } from "@cm/replay";
import { generatedSession } from "@cm/replay/generated";
import { openPostgresStore } from "@cm/store-postgres";
import { openSqliteStore } from "@cm/store-sqlite";
import pg from "pg";
import { compared, type Figure } from "../figure.ts";
import { observedStore } from "../observed-store.ts";

/** A team has many sessions: empty tables and indexes weigh little beside them. */
const sessions = 8;
const calls = 250;

/** Bytes that the same sessions take, tables and indexes, for each character of their texts; neither store is rewritten first. */
export async function sizeBench(server: PrivatePostgres): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "cm-bench-"));
  const path = join(folder, "size.sqlite");
  const [file, store] = [
    openSqliteStore({ path, synchronous: "normal" }),
    await openPostgresStore({ url: server.url, schema: "sizes", connections: 1 }),
  ];
  let chars = 0;
  const counting = observedStore(file, (commit, writes) => {
    chars += writes.reduce((sum, { document }) => sum + (document.content?.length ?? 0), 0);
    return commit();
  });
  for (let seed = 1; seed <= sessions; seed += 1) {
    const recorded = join(folder, `${seed}.jsonl`);
    writeFileSync(recorded, generatedSession({ seed, calls }));
    const recording = await readRecording(recorded);
    const setting = { layout: layouts.log, session: recording.id, prices: defaultPrices };
    await replayRecording(recording, { ...setting, store: counting });
    await replayRecording(recording, { ...setting, store });
  }
  await Promise.all([file.close(), store.close()]);
  const bytes = await schemaBytes(server.url, "sizes");
  const fileBytes = statSync(path).size;
  rmSync(folder, { recursive: true, force: true });
  return [
    compared(
      { id: "postgres.bytes", what: "bytes for each character of a session's texts", unit: "", goal: 1.3 },
      bytes / chars,
      { what: "the same sessions in a SQLite file", value: fileBytes / chars },
    ),
  ];
}

async function schemaBytes(url: string, schema: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    `SELECT sum(pg_total_relation_size(c.oid))::text AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind = 'r'`,
    [schema],
  );
  await client.end();
  return Number(rows[0].bytes);
}
