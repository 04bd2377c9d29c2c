// A process that writes one session, step after step, until it is killed. Prints the number of each acknowledged step.
import { layouts, rendererFor } from "@cm/render";
import { openSession } from "@cm/session";
import { openSqliteStore } from "@cm/store-sqlite";
import { absentFiles } from "../../src/replay/replay-files.ts";

const [path = "", policy = "log"] = process.argv.slice(2);
const store = openSqliteStore({ path });
const preset = policy === "ssot" ? layouts.ssot : layouts.log;
const session = await openSession({
  store,
  ...preset,
  rendererFor,
  session: "killed",
  sources: [absentFiles({ id: "crash", cwd: "/" }).source],
});
for (let turn = 0; ; turn += 1) {
  await session.receive([{ role: "user", text: `Prompt ${turn} of a session that will be killed.` }]);
  for (let call = 0; call < 5; call += 1) {
    await session.assemble();
    const { n } = await session.record(stepOf(turn * 5 + call));
    process.stdout.write(`${n}\n`);
  }
}

function stepOf(number: number): Parameters<typeof session.record>[0] {
  const path = `/project/file-${number % 7}.ts`;
  const callId = `call_${number % 3}`;
  return {
    answer: { role: "assistant", text: `Step ${number}.`, calls: [{ callId, tool: "read", args: { path } }] },
    results: [
      {
        role: "tool",
        callId,
        text: Array.from({ length: 40 }, (_, line) => `line ${line} of ${path} as step ${number} saw it`).join("\n"),
        failed: false,
        files: [{ binding: { type: "filesystem", filesystemId: "crash", path }, as: "read", span: { startLine: 1 } }],
      },
    ],
  };
}
