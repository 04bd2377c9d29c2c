import { basename, extname } from "node:path/posix";
import { commands, filesWith } from "../commands.ts";
import { countedComment, headComment } from "../head-comment.ts";
import type { ScriptedAgent } from "../scripted-agent.ts";
import { isCode } from "../source-text.ts";
import type { Replacement } from "../tools/tool.ts";

const filesNamed = 4;

/** Changes lines that it wrote itself. For one file it has the old wording in mind, fails, and looks again. */
export async function moduleNames(agent: ScriptedAgent, central: readonly string[]): Promise<void> {
  agent.hear(
    "Let the new lines say how many exports there are. And every file should know its own name: add a constant moduleName above that line.",
  );
  await agent.grep("How are the lines worded now?", "Exports: ");
  const commented = central.filter((path) => agent.textOf(path).includes(oldComment(agent, path)));
  const chosen = commented.filter(isCode).slice(0, filesNamed);
  const search = filesWith("^const moduleName", chosen);
  if (chosen.length > 0) await agent.bash("Is there such a constant already?", search);
  for (const path of chosen) {
    const newText = countedComment(path, agent.textOf(path));
    await agent.edit(`The line in ${path} gets the number.`, path, [{ oldText: oldComment(agent, path), newText }]);
  }
  for (const [index, path] of chosen.entries()) {
    if (index === 0) await misremember(agent, path);
    await agent.edit(`${path} gets its name.`, path, [naming(path, countedComment(path, agent.textOf(path)))]);
    if (index % 2 === 1) await agent.call(`I check the top of ${path}.`, { name: "read", args: { path, limit: 30 } });
  }

  await agent.bash("Does everything still parse?", commands.checkAll);
  if (chosen.length > 0) await agent.bash("Now all of them should have one.", search);
  agent.answer(
    chosen.length === 0
      ? "None of the changed files can hold a constant, so I left them as they are."
      : `${chosen.join(", ")} now count their exports and have a constant moduleName.`,
  );
}

async function misremember(agent: ScriptedAgent, path: string): Promise<void> {
  const result = await agent.edit(`${path} gets its name.`, path, [naming(path, oldComment(agent, path))]);
  if (result.failed) await agent.read("That line has another wording since my last edit. I read the file again.", path);
}

function oldComment(agent: ScriptedAgent, path: string): string {
  return headComment(path, agent.textOf(path));
}

function naming(path: string, below: string): Replacement {
  const name = JSON.stringify(basename(path, extname(path)));
  return { oldText: below, newText: `const moduleName = ${name};\n${below}` };
}
