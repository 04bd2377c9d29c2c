import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { contextTool } from "@cm/context-tool";
import { type JsonObject, sha256 } from "@cm/object-model";
import type { ToolDeclaration } from "@cm/scripted-models";
import { z } from "zod";
import { liveToolNames } from "../agent/tool-calls.ts";
import { limits } from "../limits.ts";
import { liveError } from "../live-error.ts";
import { readTask, type Task } from "./task.ts";

/** The parts that are equal for all policies. */
export interface Experiment {
  readonly systemPrompt: string;
  /** Those of `tools.json`, and that of the context as every harness declares it. */
  readonly tools: readonly ToolDeclaration[];
  readonly tasks: readonly Task[];
  readonly hashes: {
    readonly systemPrompt: string;
    readonly tools: string;
    readonly tasks: Readonly<Record<string, string>>;
  };
}

const toolsShape = z.array(
  z.strictObject({
    name: z.enum(liveToolNames),
    description: z.string().min(1),
    parameters: z.record(z.string(), z.json()),
  }),
);

/**
 * The files of an experiment: `system-prompt.md`, `tools.json` and its tasks, all of them or those that are named.
 * @throws CmError `live/usage`
 */
export async function readExperiment(folder: string, names?: readonly string[]): Promise<Experiment> {
  const [systemPrompt, toolsText, known] = await Promise.all([
    textOf(join(folder, "system-prompt.md")),
    textOf(join(folder, "tools.json")),
    taskNames(folder),
  ]);
  const wanted = names ?? known;
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw liveError("live/usage", `There is no task ${JSON.stringify(unknown)}. Known: ${known.join(", ")}.`);
  if (wanted.length === 0 || wanted.length > limits.tasksMax)
    throw liveError("live/usage", `${folder} has ${wanted.length} tasks; 1 to ${limits.tasksMax} can be run at once.`);
  const tasks = await Promise.all(wanted.map((name) => readTask(folder, name)));
  const tools = [...toolsOf(toolsText), contextTool];
  return {
    systemPrompt,
    tools,
    tasks,
    hashes: {
      systemPrompt: sha256(systemPrompt),
      tools: sha256(JSON.stringify(tools)),
      tasks: Object.fromEntries(tasks.map((task) => [task.name, task.sha256])),
    },
  };
}

function toolsOf(text: string): readonly ToolDeclaration[] {
  try {
    return toolsShape.parse(JSON.parse(text)).map((tool) => ({ ...tool, parameters: tool.parameters as JsonObject }));
  } catch {
    throw liveError("live/usage", `tools.json is no list of tools by the names of ${liveToolNames.join(", ")}.`);
  }
}

async function taskNames(folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(folder, "tasks"), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

async function textOf(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => {
    throw liveError("live/usage", `There is no ${file}.`);
  });
}
