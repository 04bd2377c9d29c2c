import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openRpc, type PiRun, type Rpc } from "@cm/scripted-models/real-pi";
import type { HarnessTurn } from "@cm/testkit";
import { plainCallId } from "./plain-ids.ts";

/** Plays turns in a Pi in rpc mode, as people would. The model has its script already. */
export class Turns {
  readonly #run: PiRun;
  #rpc: Rpc | undefined;
  /** Where the conversation stood after each turn. */
  #leaves: string[] = [];

  constructor(run: PiRun) {
    this.#run = run;
  }

  /** A new session: as Pi starts, or with /new. */
  async begin(): Promise<void> {
    this.#leaves = [];
    if (this.#rpc === undefined) this.#rpc = await openRpc(this.#run);
    else await this.#rpc.ask("new_session");
  }

  /** @param store the database's file */
  async play(turn: HarnessTurn, store: string): Promise<void> {
    const rpc = await this.#opened();
    if (turn.after !== undefined) await rpc.command(`/probe-tree ${this.#leaves[turn.after]}`);
    if (turn.detached === true) await rpc.command("/cm off");
    const lock = turn.store === "offline" ? lockOf(store) : undefined;
    if (turn.end === "killed") await this.#kill(rpc, turn);
    else await this.#prompt(rpc, turn);
    if (lock !== undefined) await rpc.until("word that the database is offline", saysOffline);
    lock?.close();
    if (turn.detached === true) await rpc.command("/cm on");
    if (turn.end === "restarted") await rpc.close();
    if (turn.end === "restarted" || turn.end === "killed") this.#rpc = undefined;
    else this.#leaves.push(String((await rpc.ask("get_entries")).leafId));
  }

  /** Leaves the session in an orderly way; gives its file. */
  async leave(): Promise<string> {
    const rpc = await this.#opened();
    const { sessionFile } = await rpc.ask("get_state");
    await rpc.ask("new_session");
    return String(sessionFile);
  }

  async #prompt(rpc: Rpc, { prompt, images = [], answers }: HarnessTurn): Promise<void> {
    const steers = answers.flatMap(({ steer, calls }) => {
      const callId = calls?.at(-1)?.callId;
      return steer === undefined || callId === undefined ? [] : [{ callId, steer }];
    });
    for (const { callId } of steers) await this.#run.home.write({ [`${callId}.hold`]: "" });
    const pictures = images.map(({ mime: mimeType, base64: data }) => ({ type: "image", data, mimeType }));
    const settled = rpc.prompt(prompt, pictures.length === 0 ? {} : { images: pictures });
    for (const { callId, steer } of steers) {
      await rpc.until(`call ${callId}`, isStartOf(callId));
      await rpc.ask("steer", { message: steer });
      await rm(join(this.#run.home.workDir, `${callId}.hold`));
    }
    await settled;
  }

  async #kill(rpc: Rpc, { prompt, answers }: HarnessTurn): Promise<void> {
    const callId = answers.at(-1)?.calls?.at(-1)?.callId ?? "";
    await rpc.start(prompt);
    await rpc.until(`call ${callId}`, isStartOf(callId));
    await rpc.kill();
  }

  async #opened(): Promise<Rpc> {
    this.#rpc ??= await openRpc({ ...this.#run, args: ["--continue"] });
    return this.#rpc;
  }
}

const isStartOf = (callId: string) => (record: { readonly type?: unknown; readonly toolCallId?: unknown }) =>
  record.type === "tool_execution_start" && plainCallId(String(record.toolCallId)) === callId;

/** Else the turn would show nothing. */
const saysOffline = (record: { readonly statusText?: unknown }) =>
  String(record.statusText).includes("database offline");

/** No other process can write into the database until it is closed. */
function lockOf(store: string): DatabaseSync {
  const database = new DatabaseSync(store);
  database.exec("PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE");
  return database;
}
