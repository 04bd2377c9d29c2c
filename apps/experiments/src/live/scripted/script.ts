import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@cm/object-model";
import { z } from "zod";
import { liveError } from "../live-error.ts";
import type { Task } from "../tasks/task.ts";

/** What the scripted model says to one request. */
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

const scriptShape = z.array(
  z.strictObject({
    text: z.string().default(""),
    thinking: z.string().optional(),
    calls: z.array(z.strictObject({ tool: z.string(), args: z.record(z.string(), z.json()) })).default([]),
  }),
);

const titleOf = (prompt: string): string => prompt.split("\n", 1)[0] ?? "";

/** The scripts of tasks: `tasks/NAME/script.json`. @throws CmError `live/usage` where one is absent or wrong */
export async function readScripts(folder: string, tasks: readonly Task[]): Promise<readonly Script[]> {
  return Promise.all(
    tasks.map(async ({ name, prompts: [prompt = ""] }) => {
      const text = await readFile(join(folder, "tasks", name, "script.json"), "utf8").catch(() => "");
      return { title: titleOf(prompt), answers: parsed(text, name) };
    }),
  );
}

function parsed(text: string, task: string): readonly ScriptedAnswer[] {
  try {
    return scriptShape.parse(JSON.parse(text)).map(({ calls, ...rest }) => ({
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
