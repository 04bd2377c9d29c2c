import { fileURLToPath } from "node:url";
import { runWriter as run } from "@cm/testkit";

const script = fileURLToPath(new URL("./writer.ts", import.meta.url));

export interface WriterTask {
  readonly urls: readonly string[];
  readonly namespace: string;
  readonly name: string;
  readonly how: "puts" | "increments";
  readonly count: number;
}

/** Runs a writer to its end, and counts the commits that it acknowledged. */
export async function runWriter({ urls, namespace, name, how, count }: WriterTask) {
  const { lines, ...end } = await run({ script, args: [urls.join(","), namespace, name, how, `${count}`] });
  return { acknowledged: lines.length, ...end };
}
