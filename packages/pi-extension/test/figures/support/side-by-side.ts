import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import {
  billed,
  createPiHome,
  extensionPath,
  type JsonObject,
  openRpc,
  type PiHome,
  type PiRun,
  type PiVersion,
  type Play,
  preparePi,
  type Rpc,
  type ScriptedModel,
} from "@cm/scripted-models/real-pi";
import { planSession } from "../../cost/planned-session.ts";
import { hundredRequests, type ScriptedPrompt } from "../../cost/session-script.ts";
import { holdWhole } from "../../outages/support/holder.ts";
import { databaseOf } from "../../outages/support/outage.ts";

/** What happens between two prompts. */
export type Between = "compact" | "resume" | "kill" | "other model" | "first model" | "off" | "on";

/** A session that is played in a Pi with us and in one without, on the same script. */
export interface Scenario {
  readonly title: string;
  readonly version: PiVersion;
  readonly format: "anthropic-messages" | "openai-completions";
  /** How many prompts of the script, and how many requests each of them takes at most. */
  readonly prompts: number;
  readonly steps?: number;
  /** By the number of prompts before it. */
  readonly between?: Readonly<Record<number, readonly Between[]>>;
  readonly contextWindow?: number;
  readonly settings?: Parameters<typeof createPiHome>[0]["settings"];
  /** Another process holds the database, until so many prompts were answered. */
  readonly awayFor?: number;
  readonly isBusy?: boolean;
  readonly preset?: "careful" | "default" | "lean";
  /** Characters of the summaries that the model writes. */
  readonly summaryChars?: number;
}

/** What one Pi was billed, by the bytes that its model got and by Pi's own file. */
export interface Truth {
  readonly requests: number;
  /** Tokens of the newest request with its answer. */
  readonly contextTokens: number;
  /** All input, requests for summaries included, in tokens of plain input. */
  readonly input: number;
  readonly dollars: number;
}

export interface SideBySide {
  readonly alone: Truth;
  readonly ours: Truth;
  /** The line under the prompt, and what `/cm` says, at the end. */
  readonly line: string | undefined;
  readonly report: string;
  /** The line after each prompt. */
  readonly lines: readonly (string | undefined)[];
}

/** @throws PiFailure; Error where a Pi or its model did not come to the end */
export async function playSideBySide(scenario: Scenario, model: ScriptedModel): Promise<SideBySide> {
  const plan = planSession(scriptOf(scenario), "mixed");
  const end = scenario.isBusy === true ? keepBusy() : () => {};
  try {
    const [alone, ours] = await Promise.all(
      [false, true].map((isOurs) => new PlayedPi(scenario, isOurs).play(plan, model)),
    );
    if (alone === undefined || ours === undefined) throw new Error("A Pi has not played.");
    return { ...ours.shown, alone: alone.truth, ours: ours.truth };
  } finally {
    end();
  }
}

function scriptOf({ prompts, steps }: Scenario): readonly ScriptedPrompt[] {
  return hundredRequests()
    .slice(0, prompts)
    .map((prompt) => ({ ...prompt, steps: prompt.steps.slice(0, steps) }));
}

/** Processes that leave the others little time. */
function keepBusy(): () => void {
  const spinning = Array.from({ length: 3 }, () =>
    spawn(
      process.execPath,
      [
        "-e",
        "process.stdin.on('end', () => process.exit()).resume(); setInterval(() => { const end = Date.now() + 50; while (Date.now() < end); }, 1)",
      ],
      {
        stdio: ["pipe", "ignore", "ignore"],
      },
    ),
  );
  return () => {
    for (const each of spinning) each.kill("SIGKILL");
  };
}

const prices = { read: 0.1, write: 1.25 };

class PlayedPi {
  readonly #scenario: Scenario;
  readonly #isOurs: boolean;
  readonly #lines: (string | undefined)[] = [];

  constructor(scenario: Scenario, isOurs: boolean) {
    this.#scenario = scenario;
    this.#isOurs = isOurs;
  }

  async play(plan: ReturnType<typeof planSession>, model: ScriptedModel) {
    const { version, format, contextWindow = 200_000, settings = {}, summaryChars = 4_500 } = this.#scenario;
    const play = model.play(plan.answers, {
      // Pi asks for a shorter one for the start of a turn.
      apart: ({ body }) => ({ text: summaryOf(isOfTurn(body) ? 0.4 * summaryChars : summaryChars) }),
    });
    const home = await createPiHome({ play, files: plan.files, contextWindow, settings });
    try {
      const { preset } = this.#scenario;
      const ours = {
        extensions: [extensionPath()],
        environment: { ...(preset === undefined ? {} : { CM_PRESET: preset }) },
      };
      const run: PiRun = { pi: await preparePi(version), home, format, ...(this.#isOurs ? ours : {}) };
      const shown = await this.#prompts(plan.prompts, run);
      if (play.requests.length !== plan.answers.length || play.beyond > 0) {
        throw new Error(`There were ${play.requests.length} requests in place of ${plan.answers.length}.`);
      }
      return { truth: await truthOf(play, home), shown };
    } finally {
      await home.remove();
    }
  }

  async #prompts(prompts: readonly string[], run: PiRun) {
    const { between = {}, awayFor = 0 } = this.#scenario;
    const holder = this.#isOurs && awayFor > 0 ? await held(run.home) : undefined;
    let rpc = await openRpc(run);
    for (const [number, prompt] of prompts.entries()) {
      for (const what of between[number] ?? []) rpc = await this.#between(what, { rpc, run });
      if (number === awayFor) holder?.letGo();
      await rpc.prompt(prompt);
      this.#lines.push(rpc.status("cm"));
    }
    for (const what of between[prompts.length] ?? []) rpc = await this.#between(what, { rpc, run });
    if (this.#isOurs) await rpc.command("/cm");
    const shown = { line: rpc.status("cm"), report: rpc.notices.at(-1) ?? "", lines: this.#lines };
    const { stderr } = await rpc.close();
    if (stderr !== "") throw new Error(`Pi said: ${stderr}`);
    return shown;
  }

  async #between(what: Between, { rpc, run }: { readonly rpc: Rpc; readonly run: PiRun }): Promise<Rpc> {
    const select = (format: string) => rpc.ask("set_model", { provider: `scripted-${format}`, modelId: "scripted" });
    switch (what) {
      case "compact":
        await rpc.ask("compact");
        return rpc;
      case "off":
      case "on":
        if (this.#isOurs) await rpc.command(`/cm ${what}`);
        return rpc;
      case "other model":
        await select(run.format === "anthropic-messages" ? "openai-completions" : "anthropic-messages");
        return rpc;
      case "first model":
        await select(run.format);
        return rpc;
      default:
        await (what === "kill" ? rpc.kill() : rpc.close());
        return openRpc({ ...run, args: ["--continue"] });
    }
  }
}

async function held(home: PiHome) {
  await mkdir(dirname(databaseOf(home)), { recursive: true });
  return holdWhole(databaseOf(home));
}

async function truthOf({ requests, apart }: Play, home: PiHome): Promise<Truth> {
  const entries = await home.sessionEntries();
  const usages = entries.flatMap((entry) => usageOf(entry) ?? []);
  const { input = 0, cacheRead = 0, cacheWrite = 0 } = requests.at(-1)?.tokens ?? {};
  const newest = entries.flatMap((entry) => (entry.type === "message" ? (usageOf(entry) ?? []) : [])).at(-1);
  return {
    requests: requests.length,
    contextTokens: input + cacheRead + cacheWrite + (newest?.output ?? 0),
    input: billed([...requests, ...apart], prices),
    dollars: usages.reduce((sum, { cost }) => sum + cost.total, 0),
  };
}

interface Usage {
  readonly output: number;
  readonly cost: { readonly total: number };
}

function usageOf(entry: { readonly usage?: unknown; readonly message?: unknown }): Usage | undefined {
  const message = entry.message as { readonly usage?: Usage } | undefined;
  return message?.usage ?? (entry.usage as Usage | undefined);
}

const isOfTurn = (body: JsonObject): boolean => JSON.stringify(body).includes("## Original Request");

function summaryOf(chars: number): string {
  const line = "- The totals of an order are rounded once, at the end, and the invoice takes them as they are.\n";
  return `## Goal\nMake the shop's prices right.\n\n## Progress\n${line.repeat(Math.ceil(chars / line.length))}`.slice(
    0,
    chars,
  );
}
