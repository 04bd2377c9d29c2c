import type { StepRecord } from "@cm/context-log";
import { isCmError, type ObjectStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { openSession, type Session } from "@cm/session";
import { openSqliteStore } from "@cm/store-sqlite";
import { callsOnDisk, setDisk } from "../../../../tools/failing-disk/disk-control.ts";
import { sumOfRequest } from "../crash/sum-of-request.ts";

export const steps = 4;
/** The failing one, one more on a disk that goes on failing, and one on a sound disk, with one to spare. */
const triesMax = 4;

/** One session of a few steps: what fails is done again, in the same session or in one that is opened anew. */
export class WrittenSession {
  readonly path: string;
  readonly errors: string[] = [];
  readonly problems: string[] = [];
  /** The request of each step that was acknowledged. */
  readonly acknowledged = new Map<number, string>();
  /** That changed the disk, or tried to, as long as it failed. */
  calls = 0;
  readonly #control: string;
  readonly #isOpenedAnew: boolean;
  #store: (ObjectStore & { close(): Promise<void> }) | undefined;
  #session: Session | undefined;
  #request: string | undefined;

  constructor(path: string, { control, isOpenedAnew }: { readonly control: string; readonly isOpenedAnew: boolean }) {
    this.path = path;
    this.#control = control;
    this.#isOpenedAnew = isOpenedAnew;
  }

  async write(): Promise<void> {
    for (let step = 0; step < steps; step += 1) {
      const record = recordOf(step);
      await this.#insist(() => this.#step(step, record));
    }
    await this.#insist(async () => (await this.#open()).close());
    await this.#insist(async () => this.#store?.close());
    this.#mend();
  }

  #mend(): void {
    this.calls = Math.max(this.calls, callsOnDisk(this.#control));
    setDisk(this.#control, undefined);
  }

  /** Asks once: a request before a record that is in doubt would settle it, and the record be another step. */
  async #step(step: number, record: StepRecord): Promise<void> {
    const session = await this.#open();
    if (session.chat().toolcall_refs.includes(callOf(step))) return;
    this.#request ??= sumOfRequest(await session.assemble());
    const { n } = await session.record(record);
    if (this.acknowledged.has(n)) this.problems.push(`step ${n} was acknowledged twice`);
    this.acknowledged.set(n, this.#request);
    this.#request = undefined;
  }

  async #insist(work: () => Promise<unknown>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await work();
        return;
      } catch (error) {
        this.errors.push(isCmError(error) ? error.code : String((error as Error).stack ?? error));
        if (tries === triesMax) {
          this.problems.push(`a sound disk does not help: ${this.errors.at(-1)}`);
          return;
        }
        // On a disk that goes on failing, once more before the fault ends.
        if (tries > 1) this.#mend();
        if (this.#isOpenedAnew) await this.#leave();
      }
    }
  }

  async #open(): Promise<Session> {
    this.#store ??= openSqliteStore({ path: this.path });
    this.#session ??= await openSession({
      ...{ store: this.#store, layout: layouts.log, rendererFor, session: "disk", systemPrompt: "Be brief." },
      tellResumed: false,
    });
    return this.#session;
  }

  /** As after a crash: the result of closing is not awaited. */
  async #leave(): Promise<void> {
    await this.#session?.abandon().catch(() => {});
    await this.#store?.close().catch(() => {});
    this.#session = undefined;
    this.#request = undefined;
    this.#store = undefined;
  }
}

function recordOf(step: number): StepRecord {
  const callId = callOf(step);
  const text = Array.from(
    { length: 60 },
    (_, line) => `${step}:${line}:${((step + 1) * (line + 7) * 2_654_435_761) % 1e9}`,
  );
  return {
    answer: { role: "assistant", text: `Step ${step}.`, calls: [{ callId, tool: "bash", args: { command: "ls" } }] },
    results: [{ role: "tool", callId, text: text.join("\n"), failed: false }],
  };
}

export function callOf(step: number): string {
  return `call-${step}`;
}
