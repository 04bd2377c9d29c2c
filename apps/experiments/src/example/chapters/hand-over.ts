import { commands } from "../commands.ts";
import type { ScriptedAgent } from "../scripted-agent.ts";

const filesReviewed = 4;

/** A last review and notes for the next developer. */
export async function handOver(agent: ScriptedAgent, central: readonly string[]): Promise<void> {
  agent.hear("Look over your changes once more and write them down in NOTES.md.");
  for (const path of agent.changed.slice(0, filesReviewed)) await agent.read(`I look over ${path}.`, path);
  await agent.bash("How large is everything now?", commands.countLines);
  const notes = ["# Notes", "", "Changed:", "", ...agent.changed.map((path) => `- ${path}`), ""].join("\n");
  await agent.call("I write the notes.", { name: "write", args: { path: "NOTES.md", content: notes } });
  await agent.read("And read them once.", "NOTES.md");
  await agent.bash("A last check of everything.", commands.checkAll);
  agent.answer(
    `Of the ${central.length} largest files, ${agent.changed.length} were changed: they say what they export, and some name themselves. NOTES.md lists them.`,
  );
}
