import { stat } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import type { ImportSessionReceipt, RecordedPlace } from "@cm/exchange";
import { defined, isCmError, sha256 } from "@cm/object-model";
import type { RecordingPlace } from "@cm/recordings";
import { counted } from "@cm/terminal-text";
import type { Task } from "../command-line.ts";
import { mayMakeStore } from "./missing-store.ts";

/** Brings session files into the store of a command. */
export interface Importer {
  /** @param place its path is absolute. @throws CmError what is wrong with the file or the store */
  file(place: RecordingPlace, tell: (progress: string) => void): Promise<ImportSessionReceipt>;
  close(): Promise<void>;
}

/** Packages are loaded here, so that no other command waits for them. @throws CmError `cli/no-store` */
export async function openImporter(task: Task, options: { readonly create?: true }): Promise<Importer> {
  // Most of what an import makes is short-lived: a young generation that does not grow saves a third of the memory.
  for (const flag of ["--max-semi-space-size=8", "--semi-space-growth-factor=1"]) setFlagsFromString(flag);
  const store = await task.open(mayMakeStore(task, options) ? "create" : "write", { bulk: true });
  const [{ importSession }, { createFilesystemSource, createRedactor }] = await Promise.all([
    import("@cm/exchange"),
    import("@cm/sources-fs"),
  ]);
  // Nothing is looked at: what is there now is not what was there then.
  const source = createFilesystemSource({ roots: [] });
  const isHere = folderCheck();
  const redact = createRedactor();
  const bind = async (path: string, of: RecordedPlace) => {
    try {
      if (await isHere(of.cwd)) return await source.bind(path);
      // Files of another machine are never taken for files of this one.
      return { type: "filesystem", filesystemId: sha256(`recording:${of.session}`), path } as const;
    } catch (error) {
      if (isCmError(error)) return undefined;
      throw error;
    }
  };
  return {
    file: ({ path, session }, tell) =>
      importSession(store, path, {
        ...defined({ recorded: session }),
        ...{ redact, files: { source, bind }, now: task.world.now },
        onProgress: ({ steps }) => tell(counted(steps, "step")),
      }),
    close: () => source.close(),
  };
}

/** Whether a recorded folder is one of this machine, asked once for each. */
function folderCheck(): (cwd: string | undefined) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return async (cwd) => {
    if (cwd === undefined) return false;
    const isFolder =
      known.get(cwd) ??
      stat(cwd).then(
        (found) => found.isDirectory(),
        () => false,
      );
    known.set(cwd, isFolder);
    return isFolder;
  };
}
