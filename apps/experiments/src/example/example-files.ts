import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordedCall, Recording } from "@cm/recordings";
import type { ReplayFiles } from "@cm/replay";
import { z } from "zod";
import { presentFiles } from "../replay/present-files.ts";
import { defaultFolder } from "./default-folder.ts";
import { shownFolder } from "./session-log.ts";
import { edit } from "./tools/edit.ts";
import { write } from "./tools/write.ts";
import { copySources } from "./working-copy.ts";

const writeArgs = z.object({ path: z.string(), content: z.string() });
const editArgs = z.object({
  path: z.string(),
  edits: z.array(z.object({ oldText: z.string(), newText: z.string() })),
});

/**
 * The files of the example's recording: a fresh copy of the folder, in which each recorded edit is made again when the
 * replay comes to it. So the files have at each step the text that the agent had before it.
 */
export async function exampleFiles(recording: Recording, folder = defaultFolder()): Promise<ReplayFiles> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "cm-example-")));
  const remove = () => rm(root, { recursive: true, force: true });
  try {
    await copySources(folder, root);
    const files = presentFiles(recording, root);
    return {
      ...files,
      async touchesOf(call, result) {
        if (!result.failed) await makeAgain(call, root);
        return files.touchesOf(call, result);
      },
      async close() {
        await files.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function makeAgain({ name, args }: RecordedCall, root: string): Promise<void> {
  const workspace = { root, shownAs: shownFolder };
  if (name === "write") await write(writeArgs.parse(args), workspace);
  if (name === "edit") await edit(editArgs.parse(args), workspace);
}
