import { fileURLToPath } from "node:url";
import { type KillMoment, runWriter as run } from "@cm/testkit";

const script = fileURLToPath(new URL("./writer.ts", import.meta.url));
const cacheScript = fileURLToPath(new URL("./cache-writer.ts", import.meta.url));

export interface WriterTask {
  readonly path: string;
  readonly name: string;
  readonly how: "puts" | "increments";
  readonly count: number;
  readonly kill?: KillMoment;
}

/** Runs a writer to its end, or to its kill, and counts the commits that it acknowledged. */
export async function runWriter({ path, name, how, count, kill }: WriterTask) {
  const args = [path, name, how, `${count}`];
  const { lines, ...end } = await run({ script, args, ...(kill === undefined ? {} : { kill }) });
  return { acknowledged: lines.length, ...end };
}

/** Runs a process that saves into a state cache until all that it saved is known. */
export async function runCacheWriter(path: string, name: string, count: number): Promise<{ readonly stderr: string }> {
  const { stderr } = await run({ script: cacheScript, args: [path, name, `${count}`] });
  return { stderr };
}
