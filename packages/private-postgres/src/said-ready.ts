import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

export const startMs = 180_000;

/** Resolves when a server says on stderr that it is ready. @throws with its last lines where it ends before */
export async function saidReady(server: ChildProcess, name: string, words: string): Promise<void> {
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer);
      server.kill("SIGKILL");
      reject(new Error(`${name} ${why}: ${said.slice(-3).join(" | ")}`));
    };
    const timer = setTimeout(fail, startMs, "was not ready in time");
    server.once("error", (error) => fail(error.message));
    const ended = (): void => fail("ended");
    server.once("exit", ended);
    if (server.stderr === null) return fail("says nothing");
    createInterface({ input: server.stderr }).on("line", (line) => {
      said.push(line);
      if (!line.includes(words)) return;
      clearTimeout(timer);
      server.off("exit", ended);
      resolve();
    });
  });
}
