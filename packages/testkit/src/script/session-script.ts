import type {
  AssembleOptions,
  ContextHost,
  FileTouch,
  IncomingAttachment,
  IncomingResult,
  IncomingUser,
  RenderedPrompt,
  StepRecord,
  Usage,
} from "@cm/context-log";
import { defined, type JsonObject, nonEmpty, type SourceBinding, type Thinking } from "@cm/object-model";
import type { SessionEvent } from "../policy/recorded-session.ts";
import { eventsOf } from "./events-of.ts";
import type { ScriptMoment } from "./script-moment.ts";

export interface ScriptOptions {
  /** Where a path is. With it, reads, edits and writes say which file they touched. */
  readonly bindingOf?: (path: string) => SourceBinding;
}

/** What an answer has besides its calls. */
export interface AnswerOptions {
  readonly text?: string;
  readonly thinking?: readonly Thinking[];
  readonly usage?: Usage;
}

/** One call in an answer of its own. */
export interface CallOptions extends AnswerOptions {
  /** Default: `c0`, `c1` and so on. */
  readonly callId?: string;
  readonly failed?: boolean;
  readonly attachments?: readonly IncomingAttachment[];
  readonly files?: readonly FileTouch[];
}

/** Null where no output is known; undefined where it comes later (`late`) or never. */
export type Output = string | null | undefined;

/**
 * A session, told as it happens: each method adds to the script and gives it back. The same script plays into anything
 * that is a `ContextHost` (`playInto`) and into a `RecordedSession` (`events`).
 *
 * A call alone is an answer of its own with its result: one step. `together` makes one answer of several calls.
 */
export class SessionScript {
  readonly #options: ScriptOptions;
  readonly #moments: ScriptMoment[] = [];
  #calls = 0;
  #lastCall = "";
  #open:
    | { readonly calls: NonNullable<StepRecord["answer"]["calls"]>[number][]; readonly results: IncomingResult[] }
    | undefined;

  constructor(options: ScriptOptions = {}) {
    this.#options = options;
  }

  get moments(): readonly ScriptMoment[] {
    return this.#moments;
  }

  /** The id of the newest call, which is its object's. */
  get lastCall(): string {
    return this.#lastCall;
  }

  /** The script as what happened to a recorded session. */
  get events(): readonly SessionEvent[] {
    return this.#moments.flatMap(eventsOf);
  }

  /** The user says something. */
  say(text: string, attachments?: readonly IncomingAttachment[]): this {
    return this.#incoming({ role: "user", text, ...defined({ attachments }) });
  }

  /** The model answers in words alone. */
  answer(text: string, options: Omit<AnswerOptions, "text"> = {}): this {
    return this.#step({ ...options, text }, [], []);
  }

  /** The model calls a tool, which gives an output. */
  call(tool: string, args: JsonObject, output: Output, options: CallOptions = {}): this {
    const { callId = `c${this.#calls}`, failed = false, attachments, files, ...answer } = options;
    this.#calls += 1;
    this.#lastCall = callId;
    const results =
      output === undefined
        ? []
        : [{ role: "tool" as const, callId, text: output, failed, ...defined({ attachments, files }) }];
    if (this.#open === undefined) return this.#step(answer, [{ callId, tool, args }], results);
    this.#open.calls.push({ callId, tool, args });
    this.#open.results.push(...results);
    return this;
  }

  /** A read that shows the file from line 1 on. */
  read(path: string, output: Output, options: CallOptions = {}): this {
    return this.call("read", { path }, output, { ...this.#touching(path, "read"), ...options });
  }

  edit(path: string, oldText: string, newText: string, options: CallOptions & { readonly output?: Output } = {}): this {
    const { output = "Edited.", ...rest } = options;
    return this.call("edit", { path, oldText, newText }, output, { ...this.#touching(path, "edited"), ...rest });
  }

  write(path: string, content: string, options: CallOptions & { readonly output?: Output } = {}): this {
    const { output = "Written.", ...rest } = options;
    return this.call("write", { path, content }, output, { ...this.#touching(path, "edited"), ...rest });
  }

  /** A command in a shell. */
  run(command: string, output: Output, options: CallOptions = {}): this {
    return this.call("bash", { command }, output, options);
  }

  /** All calls that `build` makes stand in one answer. */
  together(build: (script: this) => void, answer: AnswerOptions = {}): this {
    if (this.#open !== undefined) throw new TypeError("An answer holds no other one; end the first `together` before.");
    const open = { calls: [], results: [] };
    this.#open = open;
    try {
      build(this);
    } finally {
      this.#open = undefined;
    }
    return this.#step(answer, open.calls, open.results);
  }

  /** The output of a call of an earlier step comes. */
  late(
    callId: string,
    output: string | null,
    options: Pick<CallOptions, "failed" | "attachments" | "files"> = {},
  ): this {
    return this.#incoming({ role: "tool", callId, text: output, failed: false, ...options });
  }

  /**
   * Plays what was told so far from the start, and gives the prompt of each step. `options` go with each request. The
   * host's errors go through.
   */
  async playInto(
    host: Pick<ContextHost, "receive" | "assemble" | "record">,
    options: AssembleOptions = {},
  ): Promise<readonly RenderedPrompt[]> {
    const prompts: RenderedPrompt[] = [];
    for (const moment of this.#moments) {
      if (moment.kind === "incoming") await host.receive(moment.messages);
      else {
        prompts.push(await host.assemble(options));
        await host.record(moment.record);
      }
    }
    return prompts;
  }

  /** For a script that plays as it is told. */
  protected told(_moment: ScriptMoment): void {}

  #incoming(message: IncomingUser | IncomingResult): this {
    if (this.#open !== undefined) throw new TypeError("Nothing arrives within an answer; tell it after `together`.");
    return this.#add({ kind: "incoming", messages: [message] });
  }

  #step(
    { text = "", thinking, usage }: AnswerOptions,
    calls: NonNullable<StepRecord["answer"]["calls"]>,
    results: readonly IncomingResult[],
  ): this {
    if (this.#open !== undefined)
      throw new TypeError("Only calls stand within `together`; give its words as its option.");
    const answer = {
      role: "assistant" as const,
      text,
      ...defined({ thinking }),
      ...nonEmpty({ calls }),
    };
    return this.#add({
      kind: "step",
      record: { answer, ...nonEmpty({ results }), ...defined({ usage }) },
    });
  }

  #add(moment: ScriptMoment): this {
    this.#moments.push(moment);
    this.told(moment);
    return this;
  }

  #touching(path: string, as: FileTouch["as"]): Pick<CallOptions, "files"> {
    const binding = this.#options.bindingOf?.(path);
    if (binding === undefined) return {};
    return { files: [as === "read" ? { binding, as, span: { startLine: 1 } } : { binding, as }] };
  }
}
