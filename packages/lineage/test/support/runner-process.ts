import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

export interface RunnerPlace {
  /** A file, or the URL of a node and a namespace. */
  readonly path: string;
  readonly dataDir: string;
  readonly conversationId: string;
}

/** A process of `runner.ts`. */
export class Runner {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(role: "race" | "work", owner: string, { path, dataDir, conversationId }: RunnerPlace) {
    const program = join(import.meta.dirname, "runner.ts");
    const args = [program, role, owner, path, dataDir, conversationId];
    this.#child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** What it says next; undefined once it has ended. */
  async said(): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { value, done } = await this.#lines.next();
    return done === true ? undefined : JSON.parse(value);
  }

  tell(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** At once, as a crash would. What it said before is still read. */
  async kill(): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const exited =
      this.#child.exitCode === null && this.#child.signalCode === null ? once(this.#child, "exit") : undefined;
    this.#child.kill("SIGKILL");
    await exited;
    const rest: Readonly<Record<string, unknown>>[] = [];
    for (let said = await this.said(); said !== undefined; said = await this.said()) rest.push(said);
    return rest;
  }
}
