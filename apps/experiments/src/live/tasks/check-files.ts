import { join, posix } from "node:path";
import { type FileTree, readTree } from "./task-files.ts";
import { unusableTask } from "./unusable-task.ts";

export interface ChecksWanted {
  /** The task that wants them. */
  readonly task: string;
  readonly project: string | undefined;
  /** Paths below `checks/PROJECT`: tests, and what they import. */
  readonly names: readonly string[];
}

/**
 * The files of a check: those of the task's own `check` folder, and those that it names of its project's, side by side.
 * @throws CmError `live/usage` where one is absent, there twice, or imports one that is not among them
 */
export async function checkFilesOf(folder: string, wanted: ChecksWanted): Promise<FileTree> {
  const { task, project, names } = wanted;
  const files = new Map(await readTree(join(folder, "tasks", task, "check")));
  if (names.length > 0 && project === undefined) throw unusableTask(task, "names checks, but no project that has them");
  const shared: FileTree = names.length === 0 ? new Map() : await readTree(join(folder, "checks", project ?? ""));
  for (const name of names) {
    const bytes = shared.get(name);
    if (bytes === undefined)
      throw unusableTask(task, `names the check ${JSON.stringify(name)}, which is not in checks/${project}`);
    if (files.has(name)) throw unusableTask(task, `has the check ${JSON.stringify(name)} twice`);
    files.set(name, bytes);
  }
  for (const [path, bytes] of files) {
    const absent = importsOf(path, bytes).find((imported) => !files.has(imported));
    if (absent !== undefined) throw unusableTask(task, `has a check ${path} that imports ${absent}, which it has not`);
  }
  return files;
}

/** Files beside or below that a module imports; without them its tests would fail whatever the agent did. */
function importsOf(path: string, bytes: Uint8Array): readonly string[] {
  const text = new TextDecoder().decode(bytes);
  const found = text.matchAll(/^(?:import|export|\}) ?[^"'\n]*["'](\.\/[^"'\n]+)["'];?$/gm);
  return [...found].map(([, to = ""]) => posix.join(posix.dirname(path), to));
}
