import { visibleLine } from "@cm/terminal-text";
import { shortened } from "@cm/terminal-text/tables";
import { DefaultRenderer, Listr, ListrLogger, ProcessOutput } from "listr2";
import { limits } from "./limits.ts";
import { callsDone, progressBar } from "./progress-bar.ts";

export interface ProgressTask<T> {
  /** For instance the file and the policy. */
  readonly title: string;
  run(report: ReportProgress): Promise<T>;
}

export type ReportProgress = (done: number, total: number) => void;

/**
 * Runs the tasks one after the other and shows on stderr how far each is: a bar in a terminal, else one line for each
 * finished task. What a task throws is thrown on unchanged, and no later task starts. Signals are left alone.
 */
export async function withProgress<T>(tasks: readonly ProgressTask<T>[]): Promise<T[]> {
  const show = process.stderr.isTTY ? withBar : withLine;
  const results: T[] = [];
  for (const task of tasks) {
    const title = shortened(visibleLine(task.title, limits.nameCharsMax), limits.nameColumnsMax);
    results.push(await show(title, (report) => task.run(report)));
  }
  return results;
}

type Run<T> = (report: ReportProgress) => Promise<T>;

async function withLine<T>(title: string, run: Run<T>): Promise<T> {
  let last = "";
  const result = await run((done, total) => {
    last = `  ${callsDone(done, total)}`;
  });
  process.stderr.write(`${title}${last}\n`);
  return result;
}

/**
 * One list of one task each time: finished bars scroll up, however many there are. A replay may never leave the
 * microtask queue, so the bar is drawn when its title is set and does not rely on a timer.
 */
async function withBar<T>(title: string, run: Run<T>): Promise<T> {
  const outcome = Promise.withResolvers<T>();
  const list = new Listr(
    {
      title: progressBar(title, 0, 1),
      task: async (_context, bar) => {
        const progress = throttled((done, total) => {
          bar.title = progressBar(title, done, total);
        });
        run(progress.report).finally(progress.flush).then(outcome.resolve, outcome.reject);
        await outcome.promise;
      },
    },
    terminalOptions(),
  );
  // Not what the library throws but what the task threw: it chokes on what is no Error.
  await list.run().catch(outcome.reject);
  return outcome.promise;
}

/** Passes on at most one report in each interval; `flush` passes on the newest one that was held back. */
function throttled(draw: ReportProgress): { report: ReportProgress; flush: () => void } {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let held: (() => void) | undefined;
  return {
    report: (done, total) => {
      const now = performance.now();
      held = () => draw(done, total);
      if (now - drawnAt < limits.progressIntervalMs) return;
      drawnAt = now;
      held();
      held = undefined;
    },
    flush: () => held?.(),
  };
}

/**
 * The library holds back what others write to the stream and hides the cursor for as long; a process that a signal ends
 * would leave it hidden. This one leaves the stream alone: the drawing part hides the cursor too, and minds signals.
 */
class OpenOutput extends ProcessOutput {
  override hijack(): void {}
  override release(): void {}
}

/**
 * Both of the library's streams are stderr: stdout is for results. The library asks stdout whether this is a terminal,
 * so its fallback is the same renderer. Its own Ctrl-C handler would end the process with another status.
 */
function terminalOptions() {
  const logger = new ListrLogger({ processOutput: new OpenOutput(process.stderr, process.stderr), useIcons: true });
  const rendererOptions = { logger, formatOutput: "truncate", showErrorMessage: false } as const;
  return {
    renderer: DefaultRenderer,
    rendererOptions,
    fallbackRenderer: DefaultRenderer,
    fallbackRendererOptions: rendererOptions,
    registerSignalListeners: false,
  };
}
