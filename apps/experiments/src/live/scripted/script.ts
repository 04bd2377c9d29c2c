import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@cm/object-model";
import { z } from "zod";
import { liveError } from "../live-error.ts";
import type { Task } from "../tasks/task.ts";

/** The scripted model's answer to one request. */
export interface ScriptedAnswer {
  readonly text: string;
  readonly thinking?: string | undefined;
  readonly calls: readonly { readonly tool: string; readonly args: JsonObject }[];
}

/** The answers to one task, in order. */
export interface Script {
  /** The first line of the task's first prompt: by it the server knows what it is asked. */
  readonly title: string;
  readonly answers: readonly ScriptedAnswer[];
}

const answerShape = z.strictObject({
  text: z.string().default(""),
  thinking: z.string().optional(),
  calls: z.array(z.strictObject({ tool: z.string(), args: z.record(z.string(), z.json()) })).default([]),
});

/** Stands for all answers of another task's script, which are said out there. */
const asShape = z.strictObject({ as: z.string().regex(/^[a-z0-9-]+$/) });

const scriptShape = z.array(z.union([asShape, answerShape]));
const answersShape = z.array(answerShape);

const titleOf = (prompt: string): string => prompt.split("\n", 1)[0] ?? "";

/** The scripts of tasks: `tasks/NAME/script.json`. @throws CmError `live/usage` where one is absent or wrong */
export async function readScripts(folder: string, tasks: readonly Task[]): Promise<readonly Script[]> {
  return Promise.all(
    tasks.map(async ({ name, prompts: [prompt = ""] }) => ({
      title: titleOf(prompt),
      answers: await answersOf(folder, name),
    })),
  );
}

async function answersOf(folder: string, task: string): Promise<readonly ScriptedAnswer[]> {
  try {
    const entries = scriptShape.parse(await scriptOf(folder, task));
    const said = entries.map(async (entry) =>
      "as" in entry ? answersShape.parse(await scriptOf(folder, entry.as)) : [entry],
    );
    return (await Promise.all(said)).flat().map(({ calls, ...rest }) => ({
      ...rest,
      calls: calls.map(({ tool, args }) => ({ tool, args: args as JsonObject })),
    }));
  } catch {
    throw liveError(
      "live/usage",
      `The task ${task} has no script.json that can be followed; leave it out with --task.`,
    );
  }
}

async function scriptOf(folder: string, task: string): Promise<unknown> {
  return JSON.parse(await readFile(join(folder, "tasks", task, "script.json"), "utf8"));
}
