import { DatabaseSync } from "node:sqlite";

/** A database as opencode keeps its sessions in, each with a prompt and an answer. */
export function writeOpencodeDatabase(path: string, sessions: readonly string[]): void {
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE session (id text, parent_id text, directory text, revert text, time_updated integer);
    CREATE TABLE message (id text, session_id text, time_created integer, data text);
    CREATE TABLE part (id text, message_id text, session_id text, data text);`);
  const insert = {
    session: database.prepare("INSERT INTO session VALUES (?, NULL, '/work', NULL, ?)"),
    message: database.prepare("INSERT INTO message VALUES (?, ?, ?, ?)"),
    part: database.prepare("INSERT INTO part VALUES (?, ?, ?, ?)"),
  };
  for (const [place, session] of sessions.entries()) {
    insert.session.run(session, 1_780_000_000_000 + place);
    for (const role of ["user", "assistant"]) {
      const id = `${session}-${role}`;
      const time = 1_780_000_000_000 + (role === "user" ? 0 : 1000);
      insert.message.run(id, session, time, JSON.stringify({ role, modelID: "m", time: { created: time } }));
      insert.part.run(`${id}-part`, id, session, JSON.stringify({ type: "text", text: `The ${role} in ${session}.` }));
    }
  }
  database.close();
}
