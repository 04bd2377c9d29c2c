import { checkProgram, commands, firstLines } from "../commands.ts";
import { headComment } from "../head-comment.ts";
import type { ScriptedAgent } from "../scripted-agent.ts";
import { insertionAboveFirstExport } from "../source-text.ts";

const filesCommented = 6;

/** A comment for each of the largest files, some read again before, some looked at after. */
export async function headComments(agent: ScriptedAgent, central: readonly string[]): Promise<void> {
  const chosen = central.slice(0, filesCommented);
  agent.hear(
    `Put one line above the first export of the ${chosen.length} largest files that says what the file exports.`,
  );
  for (const [index, path] of chosen.entries()) {
    if (index % 2 === 0) await agent.read(`I read ${path} once more before I change it.`, path);
    const edit = insertionAboveFirstExport(agent.textOf(path), headComment(path, agent.textOf(path)));
    if (edit === undefined) continue;
    await agent.edit(`${path} gets its line.`, path, [edit]);
    if (index % 3 === 0) await agent.bash(`A look at the result in ${path}.`, firstLines(path, 40));
  }

  await agent.call("A small program shall tell whether everything still parses.", {
    name: "write",
    args: { path: "check.mjs", content: checkProgram },
  });
  const check = await agent.bash("I run it over the whole folder.", commands.checkAll);
  await agent.grep("All lines are in their place?", "Exports: ");
  const parses = check.failed ? "Some code does not parse, see above." : "All code still parses.";
  agent.answer(`Each of these files now says what it exports: ${chosen.join(", ")}. ${parses}`);
}
