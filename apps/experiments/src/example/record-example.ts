import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { defaultFolder } from "./default-folder.ts";
import { notWritten } from "./example-error.ts";
import { runScript } from "./script.ts";
import { ScriptedAgent } from "./scripted-agent.ts";
import type { SessionLog } from "./session-log.ts";
import { copySources } from "./working-copy.ts";

export interface ExampleRequest {
  /** A folder of source files. It is only read. Default: one of this repository. */
  readonly folder?: string;
  /** Path of the recording, a session file of Pi. Replaced if it exists. */
  readonly into: string;
}

/**
 * Lets the scripted agent work on a temporary copy of a folder, and records it. The same files give the same bytes on
 * every machine. The recording is there in whole or not at all; the copy is gone in either case.
 * @throws CmError of an `ExampleErrorCode`.
 */
export async function recordExample({
  folder = defaultFolder(),
  into,
}: ExampleRequest): Promise<{ file: string; calls: number }> {
  const log = await workOnCopy(folder);
  await writeWhole(into, log.toString());
  return { file: into, calls: log.modelCalls };
}

async function workOnCopy(folder: string): Promise<SessionLog> {
  // Where the folder for temporary files is a link, tools would print the path that it leads to.
  const root = await realpath(await mkdtemp(join(tmpdir(), "cm-example-")));
  try {
    const files = await copySources(folder, root);
    const agent = new ScriptedAgent(root);
    await runScript(agent, files);
    return agent.log;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function writeWhole(file: string, text: string): Promise<void> {
  const part = `${file}.${randomUUID()}.part`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(part, text, { flag: "wx", mode: 0o600 });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw notWritten(file, error);
  }
}
