import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { withDeadline } from "@cm/object-model";
import { limits } from "../limits.ts";
import { endWithUs, killGroup } from "./live.ts";
import type { PiPlace } from "./pi-run.ts";
import { PiFailure, Transcript } from "./transcript.ts";

/** How a Pi ended, and all that it printed. */
export interface PiEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** From its start to its end. */
  readonly ms: number;
}

/** A Pi that runs, in a process group of its own, which ends with it. */
export class PiProcess {
  readonly stdout = new Transcript();
  readonly stderr = new Transcript();
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<PiEnd>;
  readonly #waitMs: number;
  #end: PiEnd | undefined;

  /** @param args all of Node's arguments */
  constructor(
    { home, node = process.execPath, environment = {}, waitMs = limits.waitMs }: PiPlace,
    args: readonly string[],
  ) {
    this.#waitMs = waitMs;
    const started = performance.now();
    this.#child = spawn(node, args, {
      ...{ cwd: home.workDir, env: home.environment(environment), detached: true, stdio: "pipe" },
    });
    endWithUs(this.#child);
    this.#child.stdin.on("error", () => {});
    for (const name of ["stdout", "stderr"] as const) {
      this.#child[name].setEncoding("utf8").on("data", (text: string) => {
        if (!this[name].add(text)) killGroup(this.pid, "SIGKILL");
      });
    }
    this.#ended = new Promise((resolve, reject) => {
      this.#child.once("error", reject);
      this.#child.once("close", (code, signal) => {
        const ms = performance.now() - started;
        this.#end = { code, signal, stdout: this.stdout.text, stderr: this.stderr.text, ms };
        resolve(this.#end);
      });
    });
    this.#ended.catch(() => {});
    home.onRemove(() => this.#stop());
  }

  /** Undefined while it runs. */
  get end(): PiEnd | undefined {
    return this.#end;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  write(text: string): void {
    this.#child.stdin.write(text);
  }

  closeInput(): void {
    this.#child.stdin.end();
  }

  /** Sends a signal to the whole group, like an external kill; resolves when it has ended. */
  kill(signal: NodeJS.Signals = "SIGKILL"): Promise<PiEnd> {
    killGroup(this.pid, signal);
    return this.ended(`after ${signal}`);
  }

  /** Its end, whenever that is. */
  gone(): Promise<PiEnd> {
    return this.#ended;
  }

  async #stop(): Promise<void> {
    if (this.#end === undefined) killGroup(this.pid, "SIGKILL");
    await this.#ended.catch(() => {});
  }

  /** Its end. @throws PiFailure where it does not come; the process is killed then. */
  async ended(when = ""): Promise<PiEnd> {
    return this.within(this.#ended, `Pi did not end ${when}`);
  }

  /** Waits for the promise, with a deadline. @throws PiFailure with the last words of Pi, which is killed then */
  async within<T>(promised: Promise<T>, what: string): Promise<T> {
    return withDeadline(promised, this.#waitMs, () => {
      killGroup(this.pid, "SIGKILL");
      throw this.failure(`${what} within ${this.#waitMs / 1_000} s.`);
    });
  }

  failure(what: string): PiFailure {
    return new PiFailure(what, `${this.stderr.tail("stderr")}\n${this.stdout.tail("stdout")}`);
  }
}
