import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { Managed } from "../../src/managed/managed.ts";
import { registerTools } from "../../src/tools/register-tools.ts";

interface Registered {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
  readonly promptSnippet?: string;
  readonly promptGuidelines?: readonly string[];
  readonly executionMode?: string;
  readonly run: (given: object) => Promise<string>;
}

/** The tools as Pi gets them, each to be run with the arguments of a model. */
export function registeredTools(managed: Managed | undefined): ReadonlyMap<string, Registered> {
  const tools = new Map<string, Registered>();
  const registerTool: ExtensionAPI["registerTool"] = (tool) => {
    const run = async (given: object) => {
      const params = tool.prepareArguments?.(given);
      if (params === undefined) throw new Error("Every tool prepares its arguments.");
      // The tools look at no more of Pi's context than its folder.
      const { content } = await tool.execute("call", params, undefined, undefined, onlyFolder);
      return content.map((part) => (part.type === "text" ? part.text : "")).join("");
    };
    tools.set(tool.name, { ...tool, run });
  };
  registerTools({ registerTool }, { managed: () => managed });
  return tools;
}

export function runTool(managed: Managed | undefined, name: string, given: object): Promise<string> {
  const tool = registeredTools(managed).get(name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool.run(given);
}

const onlyFolder = new Proxy(Object.create(null), {
  get: (_target, key) => {
    if (key === "cwd") return "memory:w/src";
    throw new Error(`The tool asked Pi's context for ${String(key)}.`);
  },
});
