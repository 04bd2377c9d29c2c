import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { HarnessTurn } from "@cm/testkit";
import { openRpc, type PiRun, type Play, type Rpc } from "../../../../tools/real-pi/real-pi.ts";
import { modelScript } from "./scripted.ts";

/** Plays turns in a Pi in rpc mode, as people would. */
export class Turns {
  readonly #run: PiRun;
  readonly #play: Play;
  #rpc: Rpc | undefined;
  /** Where the conversation stood after each turn. */
  readonly #leaves: string[] = [];

  constructor(run: PiRun, play: Play) {
    this.#run = run;
    this.#play = play;
  }

  async play(turn: HarnessTurn): Promise<void> {
    const rpc = await this.#opened();
    this.#play.next(modelScript(turn));
    if (turn.after !== undefined) await rpc.command(`/probe-tree ${this.#leaves[turn.after]}`);
    if (turn.detached === true) await rpc.command("/cm off");
    const release = turn.store === "away" ? lockStore(this.#run) : () => {};
    if (turn.end === "killed") await this.#kill(rpc, turn);
    else await this.#prompt(rpc, turn);
    release();
    if (turn.detached === true) await rpc.command("/cm on");
    if (turn.end === "restarted") await this.end();
    if (this.#rpc !== undefined) this.#leaves.push(String((await rpc.ask("get_entries")).leafId));
  }

  /** As /new does. */
  async begin(): Promise<void> {
    await (await this.#opened()).ask("new_session");
  }

  async end(): Promise<void> {
    await this.#rpc?.close();
    this.#rpc = undefined;
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
    this.#rpc = undefined;
  }

  async #opened(): Promise<Rpc> {
    const isFirst = (await this.#run.home.sessionFiles()).length === 0;
    this.#rpc ??= await openRpc(isFirst ? this.#run : { ...this.#run, args: ["--continue"] });
    return this.#rpc;
  }
}

const isStartOf = (callId: string) => (record: { readonly type?: unknown; readonly toolCallId?: unknown }) =>
  record.type === "tool_execution_start" && record.toolCallId === callId;

/** Nobody else can write into the database until it is released. */
function lockStore({ home }: PiRun): () => void {
  const database = new DatabaseSync(join(home.agentDir, "context-manager", "objects.sqlite"));
  database.exec("PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE");
  return () => database.close();
}
