import { commands } from "../commands.ts";
import type { ScriptedAgent } from "../scripted-agent.ts";
import { exportedNames, listed } from "../source-text.ts";

const partLines = 100;

/** A look around: lists, searches, the largest file in parts, the others whole, two at a time. */
export async function explore(agent: ScriptedAgent, central: readonly string[]): Promise<void> {
  agent.hear("I am new to this code. Look around, read the largest files and tell me what is in them.");
  await agent.bash("I begin with the list of files.", commands.listFiles);
  await agent.bash("Now their sizes, to see where most of the code is.", commands.countLines);
  await agent.grep("What do the files export?", "^export ");
  await agent.grep("And what do they need from each other?", "^import |^from .+ import |^#include ");

  const [first, ...others] = central;
  if (first === undefined) return agent.answer("There is no file here that I could read in whole.");
  for (const offset of [1, 1 + partLines]) {
    const text =
      offset === 1 ? `${first} is the largest file, so I take it in parts.` : `Now the next part of ${first}.`;
    await agent.call(text, { name: "read", args: { path: first, offset, limit: partLines } });
  }
  for (let at = 0; at < others.length; at += 2) {
    const pair = others.slice(at, at + 2);
    const calls = pair.map((path) => ({ name: "read" as const, args: { path } }));
    await agent.callAll(`I read ${pair.join(" and ")}.`, calls);
  }
  await agent.grep("Is anything marked as unfinished?", "TODO|FIXME");
  agent.answer(summary(agent, others));
}

function summary(agent: ScriptedAgent, read: readonly string[]): string {
  const lines = read.map((path) => {
    const names = exportedNames(agent.textOf(path));
    return names.length === 0 ? `- ${path} exports nothing of its own.` : `- ${path} has ${listed(names)}.`;
  });
  return ["I have read the largest files. This is what they hold:", ...lines].join("\n");
}
