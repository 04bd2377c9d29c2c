import { type ChildProcess, execFile, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { promisify } from "node:util";
import { limits } from "../limits.ts";
import { argsOf, type PiRun } from "./pi-run.ts";
import { PiFailure, tailOf } from "./transcript.ts";

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The pane stays when Pi ends, so that its last screen and its exit code can be read. */
const configuration = [
  ...["set -g remain-on-exit on", "set -g status off", "set -g history-limit 10000"],
  ...["set -s escape-time 0", "set -s extended-keys on"],
].join("\n");
/** The end of its own input ends the terminal, so that tests that die in whatever way leave none behind. */
const keeper = 'socket=$1; shift; tmux -S "$socket" "$@" </dev/null && cat >/dev/null; tmux -S "$socket" kill-server';

/** A Pi in a terminal, as people see it. */
export class Terminal {
  readonly #run: PiRun;
  readonly #socket: string;
  readonly #keeper: ChildProcess;
  readonly #closed: Promise<void>;

  constructor(run: PiRun, { columns, rows }: TerminalSize, name: string) {
    this.#run = run;
    this.#socket = join(run.home.folder, `${name}.tmux`);
    const command = [run.node ?? process.execPath, ...argsOf(run)];
    const session = [
      "new-session",
      "-d",
      "-x",
      `${columns}`,
      "-y",
      `${rows}`,
      "-c",
      run.home.workDir,
      "--",
      ...command,
    ];
    const args = ["-c", keeper, "sh", this.#socket, "-f", join(run.home.folder, "tmux.conf"), ...session];
    // A terminal takes its environment from the server, which this starts.
    this.#keeper = spawn("sh", args, {
      ...{ env: run.home.environment(run.environment), detached: true, stdio: ["pipe", "ignore", "ignore"] },
    });
    this.#closed = new Promise((resolve) => {
      this.#keeper.once("error", () => resolve());
      this.#keeper.once("close", () => resolve());
    });
  }

  /** Text as it is typed, without Enter. */
  async type(text: string): Promise<void> {
    await this.#tmux("send-keys", "-l", "--", text);
  }

  /** Types a line and presses Enter. */
  async enter(line: string): Promise<void> {
    await this.type(line);
    await this.press("Enter");
  }

  /** Keys by tmux's names, such as `Enter`, `Escape`, `C-c`, `Up`. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.#tmux("send-keys", ...keys);
  }

  /** The text of the terminal, with `all` including the scrolled part, without colours. */
  async screen(all = false): Promise<string> {
    return this.#tmux("capture-pane", "-p", ...(all ? ["-S", "-"] : []));
  }

  /** Until the terminal shows a text; the screen then. @throws PiFailure with the screen */
  async until(text: string | RegExp): Promise<string> {
    const shows = (screen: string): boolean => (typeof text === "string" ? screen.includes(text) : text.test(screen));
    return this.#poll(`The terminal did not show ${text}`, async () => {
      const screen = await this.screen();
      return shows(screen) ? screen : undefined;
    });
  }

  /** Until Pi takes input: at the end of its start, when extensions have begun, it sets the terminal's title. */
  async ready(): Promise<void> {
    const title = `- ${basename(this.#run.home.workDir)}`;
    await this.#poll("Pi did not start", async () =>
      (await this.#tmux("display-message", "-p", "#{pane_title}")).trimEnd().endsWith(title) ? true : undefined,
    );
  }

  /** Until Pi has ended; its exit code. */
  async ended(): Promise<number> {
    return this.#poll("Pi did not end", async () => {
      const [dead, status] = (await this.#tmux("display-message", "-p", "#{pane_dead} #{pane_dead_status}")).split(" ");
      return dead === "1" ? Number(status) : undefined;
    });
  }

  /** Pi's process id. */
  async pid(): Promise<number> {
    return Number(await this.#tmux("display-message", "-p", "#{pane_pid}"));
  }

  /** Closes the terminal, and with it a Pi that still runs. */
  async close(): Promise<void> {
    this.#keeper.stdin?.end();
    await this.#closed;
  }

  async #poll<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    const { waitMs = limits.waitMs } = this.#run;
    const deadline = performance.now() + waitMs;
    for (;;) {
      const seen = await look().catch(() => undefined);
      if (seen !== undefined) return seen;
      if (performance.now() > deadline) {
        const screen = await this.screen(true).catch(() => "(no screen)");
        throw new PiFailure(`${what} within ${waitMs / 1_000} s.`, tailOf("screen", screen.trimEnd()));
      }
      await after(limits.lookMs);
    }
  }

  async #tmux(...args: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)("tmux", ["-S", this.#socket, ...args], {
      env: { PATH: process.env.PATH },
    });
    return stdout;
  }
}

let opened = 0;

/** Starts a Pi in a terminal of its own, ready for input. Tests that use it are within `withTmux`. */
export async function openTerminal(run: PiRun, size: TerminalSize = { columns: 120, rows: 40 }): Promise<Terminal> {
  await writeFile(join(run.home.folder, "tmux.conf"), configuration);
  const terminal = new Terminal(run, size, `${++opened}`);
  run.home.onRemove(() => terminal.close());
  await terminal.ready();
  return terminal;
}
