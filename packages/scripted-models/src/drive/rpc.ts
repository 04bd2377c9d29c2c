import type { JsonObject } from "../wire/json.ts";
import { type PiEnd, PiProcess } from "./pi-process.ts";
import { argsOf, type PiRun } from "./pi-run.ts";
import { Records } from "./records.ts";

/** A Pi in rpc mode. */
export class Rpc {
  readonly process: PiProcess;
  readonly #records: Records;
  #asked = 0;

  constructor(run: PiRun) {
    this.process = new PiProcess(run, [...argsOf(run), "--mode", "rpc"]);
    this.#records = new Records(this.process.stdout);
  }

  /** All that it printed so far; `not_a_record` marks a line that is no JSON. */
  get records(): readonly JsonObject[] {
    return this.#records.all;
  }

  /** Errors that handlers of extensions threw. */
  get extensionErrors(): readonly JsonObject[] {
    return this.records.filter(({ type }) => type === "extension_error");
  }

  /** The output of extensions: `notify`, `setStatus`, `setWidget`, dialogs. */
  get uiRequests(): readonly JsonObject[] {
    return this.records.filter(({ type }) => type === "extension_ui_request");
  }

  /** The newest text of a status, without colours; undefined where there is none. */
  status(key: string): string | undefined {
    const text = this.uiRequests.findLast(({ method, statusKey }) => method === "setStatus" && statusKey === key);
    return typeof text?.statusText === "string" ? withoutColours(text.statusText) : undefined;
  }

  /** The texts of all notices, oldest first. */
  get notices(): readonly string[] {
    return this.uiRequests.flatMap(({ method, message }) => (method === "notify" ? [String(message)] : []));
  }

  /** Any command of the protocol; its data. @throws PiFailure where Pi refuses it or does not answer */
  async ask(type: string, fields: JsonObject = {}): Promise<JsonObject> {
    const id = `ask-${++this.#asked}`;
    this.send({ id, type, ...fields });
    const answer = await this.until(`an answer to ${type}`, (each) => each.type === "response" && each.id === id);
    if (answer.success !== true) throw this.process.failure(`Pi refused ${type}: ${String(answer.error)}`);
    return typeof answer.data === "object" && answer.data !== null ? (answer.data as JsonObject) : {};
  }

  /** A record as it is, such as an `extension_ui_response`. */
  send(record: JsonObject): void {
    this.process.write(`${JSON.stringify(record)}\n`);
  }

  /** A prompt, until Pi has settled; the records that came meanwhile. */
  async prompt(message: string, fields: JsonObject = {}): Promise<readonly JsonObject[]> {
    const from = this.records.length;
    await this.ask("prompt", { message, ...fields });
    await this.settled(from);
    return this.records.slice(from);
  }

  /** A prompt that was taken; its work goes on. */
  async start(message: string): Promise<void> {
    await this.ask("prompt", { message });
  }

  /** A slash command of an extension, until its handler is done. */
  async command(line: string): Promise<void> {
    await this.ask("prompt", { message: line });
  }

  /** Until no work is left, counted from a place in the records; default: from now. */
  async settled(from: number = this.records.length): Promise<void> {
    await this.until("Pi to settle", ({ type }) => type === "agent_settled", from);
  }

  /** The first record for which the test holds, from a place in the records on; default: from the first. */
  until(what: string, test: (record: JsonObject) => boolean, from = 0): Promise<JsonObject> {
    return this.#alive(this.#records.next(test, from), what);
  }

  /** Ends its input, as a client does that leaves; resolves with Pi's end. */
  close(): Promise<PiEnd> {
    this.process.closeInput();
    return this.process.ended("after its input had ended");
  }

  /** Like an external kill, without a chance to clean up. */
  kill(signal: NodeJS.Signals = "SIGKILL"): Promise<PiEnd> {
    return this.process.kill(signal);
  }

  /** A wait is also over when Pi is gone. */
  async #alive<T>(promised: Promise<T>, what: string): Promise<T> {
    const gone = this.process.gone().then(({ code, signal }) => {
      throw this.process.failure(`Pi ended (${signal ?? code}) before there was ${what}.`);
    });
    return this.process.within(Promise.race([promised, gone]), `There was not ${what}`);
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one.
const withoutColours = (text: string): string => text.replaceAll(/\u001b\[[0-9;]*m/g, "");

/** Starts a Pi in rpc mode, ready to be asked. */
export async function openRpc(run: PiRun): Promise<Rpc> {
  const rpc = new Rpc(run);
  await rpc.ask("get_state");
  return rpc;
}
