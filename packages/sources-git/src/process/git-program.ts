import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { limits } from "../limits.ts";
import { reasons, Trouble } from "../reasons.ts";
import { runGit } from "./run-git.ts";

/**
 * Finds git once, in the folders of `PATH`, and asks for its version. What failed is tried again at the next call.
 * @throws Trouble where there is none, or only one that is too old
 */
export function gitProgram(given?: string): () => Promise<string> {
  let found: Promise<string> | undefined;
  return () => {
    found ??= find(given).catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
}

async function find(given: string | undefined): Promise<string> {
  for (const program of given === undefined ? candidates() : [given]) {
    if (!(await isProgram(program))) continue;
    const { stdout } = await runGit(["version"], {
      program,
      folder: tmpdir(),
      signal: AbortSignal.timeout(limits.lookMs),
    });
    if (!isRecent(stdout.toString("latin1"))) throw new Trouble(reasons.oldGit);
    return program;
  }
  throw new Trouble(reasons.noGit);
}

function candidates(): readonly string[] {
  const name = process.platform === "win32" ? "git.exe" : "git";
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name));
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Whether the answer of `git version` names one that this source can work with. */
export function isRecent(answer: string): boolean {
  const [, major, minor] = /^git version (\d{1,4})\.(\d{1,4})/.exec(answer) ?? [];
  const [majorMin, minorMin] = limits.gitVersionMin;
  return Number(major) > majorMin || (Number(major) === majorMin && Number(minor) >= minorMin);
}
