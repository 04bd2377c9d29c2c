import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("./writer.ts", import.meta.url));

export interface WriterTask {
  readonly urls: readonly string[];
  readonly namespace: string;
  readonly name: string;
  readonly how: "puts" | "increments";
  readonly count: number;
}

export interface WriterEnd {
  /** Commits that the writer acknowledged. */
  readonly acknowledged: number;
  readonly exitCode: number | null;
  readonly stderr: string;
}

/** Runs a writer to its end. */
export async function runWriter({ urls, namespace, name, how, count }: WriterTask): Promise<WriterEnd> {
  const args = [script, urls.join(","), namespace, name, how, `${count}`];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let acknowledged = 0;
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (lines: string) => {
    acknowledged += lines.split("\n").length - 1;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [exitCode] = await once(child, "close");
  return { acknowledged, exitCode, stderr };
}
