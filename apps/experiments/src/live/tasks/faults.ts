import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { FileTree } from "./task-files.ts";
import { parsedJson, unusableTask } from "./unusable-task.ts";

/** The faults of a project, by name: each is one edit, whose `find` occurs in its file exactly once. */
const faultsShape = z.record(
  z.string(),
  z.strictObject({ file: z.string().min(1), find: z.string().min(1), replace: z.string() }),
);

export interface FaultsWanted {
  /** The task that wants them. */
  readonly task: string;
  readonly project: string | undefined;
  /** Names of `faults/PROJECT.json`, in the order in which they are made. */
  readonly names: readonly string[];
}

/** A project's files with faults in them. @throws CmError `live/usage` where one is unknown or does not fit its file */
export async function withFaults(files: FileTree, folder: string, wanted: FaultsWanted): Promise<FileTree> {
  const { task, project, names } = wanted;
  if (names.length === 0) return files;
  if (project === undefined) throw unusableTask(task, "names faults, but no project that has them");
  const place = `faults/${project}.json`;
  const text = await readFile(join(folder, place), "utf8").catch(() => {
    throw unusableTask(task, `names faults, but there is no ${place}`);
  });
  const known = new Map(Object.entries(parsedJson(text, faultsShape, { task, file: place })));
  const faulty = new Map(files);
  for (const name of names) {
    const named = `names the fault ${JSON.stringify(name)}`;
    const fault = known.get(name);
    if (fault === undefined) throw unusableTask(task, `${named}, which ${place} has not`);
    const bytes = faulty.get(fault.file);
    const parts = bytes === undefined ? [] : Buffer.from(bytes).toString("utf8").split(fault.find);
    if (parts.length !== 2) throw unusableTask(task, `${named}, whose text is not exactly once in ${fault.file}`);
    faulty.set(fault.file, Buffer.from(parts.join(fault.replace)));
  }
  return faulty;
}
