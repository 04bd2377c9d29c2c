import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { IncomingAttachment } from "@cm/context-log";
import { sha256 } from "@cm/object-model";
import { z } from "zod";
import { limits } from "../limits.ts";
import { liveError } from "../live-error.ts";
import { checkFilesOf } from "./check-files.ts";
import { withFaults } from "./faults.ts";
import { type FileTree, hashTrees, readTree } from "./task-files.ts";
import { parsedJson, unusableTask } from "./unusable-task.ts";

const pattern = z.string().max(limits.patternCharsMax).refine(isPattern, "expected a regular expression");

const taskShape = z.strictObject({
  /** A folder of `projects` that the working copy begins with, with its faults; the task's own `files` are laid over it. */
  project: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .optional(),
  /** The faults of the project: names of `faults/PROJECT.json`. */
  faults: z.array(z.string()).max(limits.faultsMax).default([]),
  /** Files of `checks/PROJECT` that join those of the task's own `check`. */
  checks: z.array(z.string()).max(limits.taskFilesMax).default([]),
  check: z.discriminatedUnion("kind", [
    /** The files of the check are run with `node --test`; exactly so many tests must pass, and none fail. */
    z.strictObject({ kind: z.literal("tests"), passes: z.int().min(2) }),
    z.strictObject({ kind: z.literal("exact"), answer: z.string().min(1) }),
    z.strictObject({ kind: z.literal("pattern"), answer: pattern }),
  ]),
  /** Files that the first prompt shows as images. */
  images: z.array(z.string()).default([]),
  /** Quotes that the answer must give at least, and files that each must be quoted. */
  quotes: z.strictObject({ min: z.int().min(1), of: z.array(z.string()).default([]) }).optional(),
});

export type TaskCheck = z.infer<typeof taskShape>["check"];
export type QuotesWanted = NonNullable<z.infer<typeof taskShape>["quotes"]>;

export interface Task {
  readonly name: string;
  /** The user's prompts; each is sent when the agent has finished the previous one. */
  readonly prompts: readonly string[];
  /** Attached to the first prompt. */
  readonly images: readonly IncomingAttachment[];
  readonly check: TaskCheck;
  readonly quotes: QuotesWanted | undefined;
  /** The working copy as the agent finds it. */
  readonly files: FileTree;
  /** Copied in when the agent is done. */
  readonly checkFiles: FileTree;
  /** Over everything that makes the task: the same hash is the same task. */
  readonly sha256: string;
}

/**
 * A task from `tasks/NAME`: `task.json`, `prompt.md` (then `prompt-2.md` and so on), `files/**`, `check/**`, and
 * what `task.json` names of `projects`, `faults` and `checks`.
 * @throws CmError `live/usage`
 */
export async function readTask(folder: string, name: string): Promise<Task> {
  const place = join(folder, "tasks", name);
  const [settings, prompts] = await Promise.all([textOf(join(place, "task.json")), promptsIn(place)]);
  const { project, faults, checks, check, quotes, images } = parsedJson(settings, taskShape, {
    task: name,
    file: "task.json",
  });
  const from = { task: name, project };
  const base: FileTree = project === undefined ? new Map() : await readTree(join(folder, "projects", project));
  if (project !== undefined && base.size === 0)
    throw unusableTask(name, `names the project ${project}, which has no files`);
  const [faulty, own, checkFiles] = await Promise.all([
    withFaults(base, folder, { ...from, names: faults }),
    readTree(join(place, "files")),
    checkFilesOf(folder, { ...from, names: checks }),
  ]);
  const files = new Map([...faulty, ...own]);
  if (files.size === 0) throw unusableTask(name, "has no files");
  if ((check.kind === "tests") !== checkFiles.size > 0)
    throw unusableTask(name, "has a check that does not fit its files");
  const hash = sha256(JSON.stringify([sha256(settings), prompts.map(sha256), hashTrees([files, checkFiles])]));
  const attached = images.map((path) => imageOf(files.get(path), path, name));
  return { name, prompts, images: attached, check, quotes, files, checkFiles, sha256: hash };
}

const imageTypes: Readonly<Record<string, string>> = {
  ...{ ".png": "image/png", ".jpg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp" },
};

function imageOf(data: Uint8Array | undefined, path: string, task: string): IncomingAttachment {
  const mime = imageTypes[extname(path)];
  if (data === undefined || mime === undefined) throw unusableTask(task, "names an image that is none of its files");
  return { mime, data };
}

async function promptsIn(place: string): Promise<readonly string[]> {
  const prompts = [await textOf(join(place, "prompt.md"))];
  while (prompts.length < limits.promptsMax) {
    const next = await readFile(join(place, `prompt-${prompts.length + 1}.md`), "utf8").catch(() => undefined);
    if (next === undefined) break;
    prompts.push(next);
  }
  return prompts;
}

async function textOf(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => {
    throw liveError("live/usage", `There is no ${file}.`);
  });
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}
