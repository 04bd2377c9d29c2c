import { limits } from "../limits.ts";
import { reasons, Trouble } from "../reasons.ts";
import type { Timer } from "../timer.ts";
import { type CatFile, startCatFile } from "./cat-file.ts";
import type { Expected, Reply } from "./reply-parser.ts";

export interface Question extends Expected {
  readonly signal: AbortSignal;
}

interface Waiting extends Question {
  readonly answer: (reply: Reply) => void;
  readonly fail: (trouble: Trouble) => void;
}

export interface ObjectReaderOptions {
  /** Finds git. */
  readonly program: () => Promise<string>;
  readonly folder: string;
  readonly timer: Timer;
}

/**
 * One long-lived git for all questions about the objects of one repository, asked in bulk and answered in order. It is
 * started by the first question, ends when idle, and does not keep this process alive. If it dies, the question that
 * it was at fails, and the others are asked again.
 */
export class ObjectReader {
  readonly #options: ObjectReaderOptions;
  /** Not sent yet. */
  #unsent: Waiting[] = [];
  /** Sent, the oldest first. */
  #sent: Waiting[] = [];
  #child: CatFile | undefined;
  #starting = false;
  #sending = false;
  #restarts = 0;
  #closed = false;
  #callOffIdle: (() => void) | undefined;

  constructor(options: ObjectReaderOptions) {
    this.#options = options;
  }

  /**
   * @throws Trouble where git cannot answer. When the signal ends the question, its reason is thrown; a git that owes
   * an answer to a question whose time is up is replaced.
   */
  ask({ command, name, bytesMax, signal }: Question): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    if (this.#closed) return Promise.reject(new Trouble(reasons.closed));
    if (signal.aborted) return Promise.reject(signal.reason);
    const stop = () => {
      reject(signal.reason);
      this.#givenUp(question);
    };
    const question: Waiting = {
      command,
      name,
      bytesMax,
      signal,
      answer: (reply) => {
        signal.removeEventListener("abort", stop);
        resolve(reply);
      },
      fail: (trouble) => {
        signal.removeEventListener("abort", stop);
        reject(trouble);
      },
    };
    signal.addEventListener("abort", stop, { once: true });
    this.#unsent.push(question);
    this.#sendSoon();
    return promise;
  }

  /** Ends the process; the next question starts another. Questions that wait are asked again. */
  restart(): void {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    child.kill();
    this.#askAgain();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#callOffIdle?.();
    const child = this.#child;
    this.#child = undefined;
    this.#failAll(new Trouble(reasons.closed));
    child?.kill();
    await child?.ended;
  }

  /** Questions of one turn go out together, so that git answers them in one go. */
  #sendSoon(): void {
    if (this.#sending) return;
    this.#sending = true;
    setImmediate(() => {
      this.#sending = false;
      if (this.#starting || this.#closed) return;
      if (this.#child !== undefined) this.#send(this.#child);
      else if (this.#unsent.length > 0) void this.#start();
    });
  }

  #send(child: CatFile): void {
    const questions = this.#unsent.filter(({ signal }) => !signal.aborted);
    this.#unsent = [];
    if (questions.length === 0) {
      if (this.#sent.length === 0) this.#rest(child);
      return;
    }
    this.#callOffIdle?.();
    child.keepAlive(true);
    for (const question of questions) this.#sent.push(question);
    child.write(`${questions.map(({ command, name }) => `${command} ${name}\n`).join("")}flush\n`);
  }

  async #start(): Promise<void> {
    this.#starting = true;
    try {
      const program = await this.#options.program();
      if (!this.#closed) this.#child = this.#startChild(program);
    } catch (error) {
      this.#failAll(error instanceof Trouble ? error : new Trouble(reasons.gitEnded, { cause: error }));
    }
    this.#starting = false;
    this.#sendSoon();
  }

  #startChild(program: string): CatFile {
    const child = startCatFile({ program, folder: this.#options.folder }, () => this.#sent[0], {
      onReply: (reply) => {
        if (child !== this.#child) return;
        this.#sent.shift()?.answer(reply);
        if (this.#sent.length === 0 && this.#unsent.length === 0) this.#rest(child);
      },
      onEnd: (trouble) => {
        if (child === this.#child) this.#died(trouble);
      },
    });
    return child;
  }

  #rest(child: CatFile): void {
    this.#restarts = 0;
    child.keepAlive(false);
    this.#callOffIdle?.();
    this.#callOffIdle = this.#options.timer(limits.idleMs, () => {
      if (this.#child !== child || this.#sent.length > 0) return;
      this.#child = undefined;
      child.kill();
    });
  }

  #died(trouble: Trouble): void {
    this.#child = undefined;
    this.#restarts += 1;
    this.#sent.shift()?.fail(trouble);
    if (this.#restarts > limits.restartsMax) this.#failAll(trouble);
    this.#askAgain();
  }

  #askAgain(): void {
    this.#unsent = [...this.#sent, ...this.#unsent];
    this.#sent = [];
    if (this.#unsent.length > 0) this.#sendSoon();
    else this.#restarts = 0;
  }

  #givenUp(question: Waiting): void {
    const late = question.signal.reason instanceof Trouble && question.signal.reason.reason === reasons.timedOut;
    if (late && this.#sent.includes(question)) this.restart();
  }

  #failAll(trouble: Trouble): void {
    const all = [...this.#sent, ...this.#unsent];
    this.#sent = [];
    this.#unsent = [];
    for (const question of all) question.fail(trouble);
  }
}
