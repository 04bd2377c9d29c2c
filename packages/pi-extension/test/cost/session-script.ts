import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One answer that reads a file and may edit another one beside it. Lines count from 1. */
export interface ReadStep {
  readonly read: string;
  readonly edit?: { readonly path: string; readonly line: number };
}

export interface ScriptedPrompt {
  readonly text: string;
  readonly steps: readonly ReadStep[];
  /** What the model says when it is done. */
  readonly end: string;
}

/** The session of hundred-requests.txt. */
export function hundredRequests(): readonly ScriptedPrompt[] {
  return readScript(readFileSync(join(import.meta.dirname, "hundred-requests.txt"), "utf8"));
}

/** @throws Error for a line that is none of a script */
function readScript(text: string): readonly ScriptedPrompt[] {
  const prompts: { readonly text: string; readonly steps: ReadStep[]; end: string }[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, word = "", rest = ""] = /^(\w+) (.*)$/.exec(line) ?? [];
    const prompt = prompts.at(-1);
    if (word === "prompt") prompts.push({ text: rest, steps: [], end: "" });
    else if (word === "read" && prompt !== undefined) prompt.steps.push(readStep(rest));
    else if (word === "say" && prompt !== undefined) prompt.end = rest;
    else throw new Error(`No line of a script: ${line}`);
  }
  return prompts;
}

function readStep(text: string): ReadStep {
  const [, read = "", path, line] = /^(\S+)(?: \+ edit (\S+) (\d+))?$/.exec(text) ?? [];
  return { read, ...(path === undefined ? {} : { edit: { path, line: Number(line) } }) };
}
