// A process of its own that appends to a session which others write, too: node appender.ts KIND WHERE NAME COUNT.
// Each append is a recorded step with one tool call. Prints session and number of each
// step that was acknowledged: the session is a fork once another process was faster.
import { writeSync } from "node:fs";
import { layouts, rendererFor } from "@cm/render";
import { openSession } from "@cm/session";
import { openShared } from "../support/open-shared.ts";

const [kind = "", where = "", name = "", count = "0"] = process.argv.slice(2);
const store = openShared({ kind: kind === "XTDB" ? "XTDB" : "SQLite", where });
const session = await openSession({ store, layout: layouts.log, rendererFor, session: "shared" });
for (let number = 0; number < Number(count); number += 1) {
  await session.assemble();
  const callId = `call-${name}-${number}`;
  const { n } = await session.record({
    answer: { role: "assistant", text: "", calls: [{ callId, tool: "bash", args: {} }] },
    results: [{ role: "tool", callId, text: `${name} ${number}`, failed: false }],
  });
  writeSync(1, `${session.session} ${n} ${callId}\n`);
}
await session.close();
await store.close();
