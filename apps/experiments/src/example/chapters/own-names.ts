import { commands } from "../commands.ts";
import type { ScriptedAgent } from "../scripted-agent.ts";
import { ownFunctions, renaming } from "../source-text.ts";

const filesRenamed = 2;
const namesPerFile = 3;

/** Renames functions that a file keeps to itself, in the files that have most of them. */
export async function ownNames(agent: ScriptedAgent, central: readonly string[]): Promise<void> {
  agent.hear(
    "I want to tell from its name whether a function is used outside its file. End the names of the others in Local; begin with the files that have most of them.",
  );
  await agent.grep("Which functions are not exported?", "^(async )?function");
  const chosen = central
    .map((path) => ({ path, names: ownFunctions(agent.textOf(path)) }))
    .filter(({ names }) => names.length > 0)
    .toSorted((a, b) => b.names.length - a.names.length)
    .slice(0, filesRenamed);
  for (const { path, names } of chosen) await rename(agent, path, names.slice(0, namesPerFile));

  await agent.bash("Does everything still parse?", commands.checkAll);
  const paths = chosen.map(({ path }) => path);
  agent.answer(
    paths.length === 0
      ? "Every function that I have seen is used outside its file, so there was nothing to rename."
      : `I renamed the first functions of ${paths.join(" and ")}. The rest can follow in the same way.`,
  );
}

async function rename(agent: ScriptedAgent, path: string, names: readonly string[]): Promise<void> {
  await agent.read(`To rename in ${path} I need its present text.`, path);
  for (const name of names) {
    const edits = renaming(agent.textOf(path), name, `${name}Local`);
    if (edits === undefined || edits.length === 0) continue;
    await agent.edit(`${name} becomes ${name}Local.`, path, edits);
  }
  await agent.grep("Has any use been forgotten?", `\\b(${names.join("|").replaceAll("$", "\\$")})\\b`, path);
}
