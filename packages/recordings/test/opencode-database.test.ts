// Verifies: a session in opencode's database is the one that opencode exports, and the database is only read.
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { limits, readRecording } from "../src/index.ts";
import { judged, recordedFiles } from "./recorded-file.ts";
import { fillSession, opencodeTables } from "./support/opencode-database.ts";

const files = recordedFiles();
function opened(name: string): DatabaseSync {
  const database = new DatabaseSync(files.path(name));
  database.exec(`PRAGMA journal_mode = WAL; ${opencodeTables}`);
  return database;
}

it("gives the session that went on last, no sub-agent's, while opencode has the database open", async () => {
  const database = opened("opencode.db");
  fillSession(database, "ses_old", { updated: 1 });
  fillSession(database, "ses_new", { updated: 2 });
  fillSession(database, "ses_sub", { updated: 3, parent: "ses_new" });
  const before = readFileSync(files.path("opencode.db"));

  const recording = await readRecording(files.path("opencode.db"));

  expect(recording).toMatchObject({ format: "opencode", id: "ses_new", cwd: "/work", warnings: [] });
  expect(judged(recording.events)).toEqual([
    ["user", "in ses_new", ""],
    ["assistant", "", '{"a":1}'],
    ["result", "alpha", ""],
  ]);
  expect(recording.events[1]).toMatchObject({ usage: { input: 488, output: 10, cacheRead: 512, cacheWrite: 0 } });
  expect(readFileSync(files.path("opencode.db"))).toEqual(before);
  database.close();
});

it("gives the session that is named, without what was taken back on the active path", async () => {
  const database = opened("named.db");
  fillSession(database, "ses_a", { revert: JSON.stringify({ messageID: "ses_a-msg_1" }) });
  fillSession(database, "ses_b", { updated: 2 });
  database.close();

  const { id, events } = await readRecording(files.path("named.db"), { session: "ses_a", activePath: true });

  expect(id).toBe("ses_a");
  expect(judged(events)).toEqual([["user", "in ses_a", ""]]);
  await expect(readRecording(files.path("named.db"), { session: "ses_c" })).rejects.toMatchObject({
    code: "recording/not-a-session",
  });
});

it("counts a message whose data is no JSON, and refuses what is no database of opencode", async () => {
  const database = opened("damaged.db");
  fillSession(database, "ses_a", {});
  database.exec("UPDATE message SET data = '{' WHERE id = 'ses_a-msg_1'");
  database.close();
  const other = new DatabaseSync(files.path("other.db"));
  other.exec("CREATE TABLE session (id text)");
  other.close();

  expect((await readRecording(files.path("damaged.db"))).warnings).toEqual(["1 message is unreadable and left out."]);
  await expect(readRecording(files.path("other.db"))).rejects.toMatchObject({ code: "recording/not-a-session" });
  const torn = await files.write("torn.db", readFileSync(files.path("damaged.db")).subarray(0, 5000));
  await expect(readRecording(torn)).rejects.toMatchObject({ code: "recording/unreadable", data: { reason: "sqlite" } });
});

it("refuses a session that is larger than the bound", async () => {
  const database = opened("large.db");
  fillSession(database, "ses_a", {});
  const part = database.prepare("INSERT INTO part VALUES (?, 'ses_a-msg_1', 'ses_a', zeroblob(?))");
  for (let count = 0; count < 2; count += 1) part.run(`large-${count}`, limits.documentBytesMax / 2);
  database.close();

  await expect(readRecording(files.path("large.db"))).rejects.toMatchObject({ code: "recording/too-large" });
});
