// A process of its own that appends to a session which others write, too: node appender.ts KIND WHERE NAME COUNT [OWN].
// Each append is a recorded step with one tool call. It appends as many to each of OWN sessions of its own, all at once.
// Prints session and number of each step that was acknowledged: the session is a fork once another process was faster.
import { writeSync } from "node:fs";
import { layouts, rendererFor } from "@cm/render";
import { openSession } from "@cm/session";
import { openShared, type SharedPlace } from "../support/open-shared.ts";

const [kind = "SQLite", where = "", name = "", count = "0", own = "0"] = process.argv.slice(2);
const store = openShared({ kind: kind as SharedPlace["kind"], where });

async function append(to: string, writer: string): Promise<void> {
  const session = await openSession({ store, layout: layouts.log, rendererFor, session: to });
  for (let number = 0; number < Number(count); number += 1) {
    await session.assemble();
    const callId = `call-${writer}-${number}`;
    const { n } = await session.record({
      answer: { role: "assistant", text: "", calls: [{ callId, tool: "bash", args: {} }] },
      results: [{ role: "tool", callId, text: `${writer} ${number}`, failed: false }],
    });
    writeSync(1, `${session.session} ${n} ${callId}\n`);
  }
  await session.close();
}

await Promise.all([
  append("shared", name),
  ...Array.from({ length: Number(own) }, (_, n) => append(`own-${name}-${n}`, `${name}.${n}`)),
]);
await store.close();
