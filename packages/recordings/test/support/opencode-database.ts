import type { DatabaseSync } from "node:sqlite";

const start = 1_780_000_000_000;

export const opencodeTables = `
  CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, revert text, time_updated integer NOT NULL);
  CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, data text NOT NULL);
  CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, data text NOT NULL);`;

const answer = {
  ...{ role: "assistant", modelID: "m", time: { created: start + 5 }, finish: "stop" },
  tokens: { total: 1010, input: 488, output: 10, reasoning: 0, cache: { read: 512, write: 0 } },
};

/** A session with a prompt, a call and an answer. */
export function fillSession(
  database: DatabaseSync,
  session: string,
  { parent = null as string | null, updated = 1, revert = "" },
) {
  database.prepare("INSERT INTO session VALUES (?, ?, '/work', ?, ?)").run(session, parent, revert || null, updated);
  const messages = [
    [{ role: "user", time: { created: start } }, [{ type: "text", text: `in ${session}` }]],
    [
      answer,
      [
        { type: "step-start" },
        { type: "tool", tool: "read", callID: "c", state: { status: "completed", input: { a: 1 }, output: "alpha" } },
        { type: "step-finish", reason: "stop", tokens: answer.tokens },
      ],
    ],
  ] as const;
  messages.forEach(([info, parts], index) => {
    const id = `${session}-msg_${index}`;
    database.prepare("INSERT INTO message VALUES (?, ?, ?, ?)").run(id, session, start + index, JSON.stringify(info));
    parts.forEach((part, place) => {
      const insert = database.prepare("INSERT INTO part VALUES (?, ?, ?, ?)");
      insert.run(`${id}-prt_${place}`, id, session, JSON.stringify(part));
    });
  });
}
