import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { providerPrices } from "@cm/context-log";
import { namedPolicies, type PolicyName, type StoreKind } from "@cm/replay";
import type { Protocol } from "@cm/scripted-models";
import manifest from "../../package.json" with { type: "json" };
import { canIsolate, type Network } from "../live/agent/isolation.ts";
import { type Endpoint, endpointOf } from "../live/endpoint/endpoint.ts";
import { limits } from "../live/limits.ts";
import { liveError } from "../live/live-error.ts";
import type { LiveResults, LiveRun } from "../live/results/live-result.ts";
import { liveTable } from "../live/results/live-table.ts";
import { type LiveSetting, runLive } from "../live/run-live.ts";
import { readScripts } from "../live/scripted/script.ts";
import { startScriptedServer } from "../live/scripted/scripted-server.ts";
import { type Experiment, readExperiment } from "../live/tasks/experiment.ts";
import { Databases } from "../replay/databases.ts";
import { OutputFolder } from "../replay/output-folder.ts";
import { liveReportHtml } from "../report/live-html.ts";
import { fromCaller } from "./caller-folder.ts";

export type PricesName = keyof typeof providerPrices;

export interface LiveCommandOptions {
  readonly policy: readonly PolicyName[];
  readonly task?: readonly string[];
  readonly tasks?: string;
  readonly repeat: number;
  readonly seed?: number;
  readonly steps?: number;
  readonly prices?: PricesName;
  readonly store: StoreKind;
  readonly out: string;
  readonly scripted?: Protocol;
  readonly openNetwork?: true;
  readonly json?: true;
}

/** `live`: a model works on tasks under each policy, and what it left is scored. */
export async function live(options: LiveCommandOptions, command: string): Promise<void> {
  const folder = options.tasks === undefined ? ownFolder() : fromCaller(options.tasks);
  const experiment = await readExperiment(folder, options.task);
  const network = networkOf(options);
  const { endpoint, close } = await endpointFor(options, folder, experiment);
  try {
    const prices = options.prices ?? (endpoint.protocol === "anthropic" ? "anthropic5m" : "openaiGpt5");
    const setting = { experiment, endpoint, network, prices: providerPrices[prices] };
    await results(options, setting, { command, prices });
  } finally {
    await close();
  }
}

type Fixed = Pick<LiveSetting, "experiment" | "endpoint" | "network" | "prices">;

async function results(options: LiveCommandOptions, fixed: Fixed, about: { command: string; prices: PricesName }) {
  const output = new OutputFolder(fromCaller(options.out));
  const interrupt = new AbortController();
  const onSignal = () => interrupt.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, onSignal);
  try {
    const runs = await allRuns(options, fixed, { output, signal: interrupt.signal });
    const json = resultsOf(runs, fixed, about);
    output.write("results.json", `${JSON.stringify(json, undefined, 1)}\n`);
    output.write("report.html", liveReportHtml(json, described(options.policy)));
    output.keep();
    print(json, options, output.path);
  } catch (error) {
    output.discard();
    throw error;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
  }
}

async function allRuns(
  { store, policy: policies, repeat: repetitions, seed, steps: stepsMax }: LiveCommandOptions,
  fixed: Fixed,
  { output, signal }: { readonly output: OutputFolder; readonly signal: AbortSignal },
): Promise<readonly LiveRun[]> {
  const databases = await Databases.open(store, output, false);
  try {
    return await runLive({
      ...{ ...fixed, policies, repetitions, seed, stepsMax, asking: { signal } },
      databaseFor: (task, policy) => databases.forRun(task, policy),
      onRun: ({ task, policy, solved, why }, left) =>
        process.stderr.write(`${task} ${policy}: ${solved ? "solved" : "not solved"} (${why}); ${left} left\n`),
    });
  } finally {
    await databases.close();
  }
}

function resultsOf(
  runs: readonly LiveRun[],
  { experiment, endpoint, network, prices }: Fixed,
  { command, prices: name }: { readonly command: string; readonly prices: PricesName },
): LiveResults {
  const { protocol, model, url, windowTokens, extra } = endpoint;
  return {
    ...{ command, version: manifest.version, createdAt: new Date().toISOString() },
    ...{ protocol, model, endpoint: `${url.host}${url.pathname}`, windowTokens, extra, network },
    prices: { name, read: prices.read, write: prices.write },
    limits,
    sha256: experiment.hashes,
    runs,
  };
}

/** The app's own experiment: tasks, prompt and tools are files beside its sources. */
function ownFolder(): string {
  for (let folder = import.meta.dirname; dirname(folder) !== folder; folder = dirname(folder)) {
    if (existsSync(join(folder, "live", "tools.json"))) return join(folder, "live");
  }
  throw liveError("live/usage", "No folder of tasks was found; name one with --tasks.");
}

function networkOf({ openNetwork, scripted }: LiveCommandOptions): Network {
  if (openNetwork !== true && canIsolate()) return "none";
  // A script is known beforehand; what a model runs is not.
  if (openNetwork === true || scripted !== undefined) return "open";
  throw liveError(
    "live/no-isolation",
    "This machine cannot run a model's commands without network (unshare); allow it with --open-network.",
  );
}

async function endpointFor(
  { scripted }: LiveCommandOptions,
  folder: string,
  { tasks }: Experiment,
): Promise<{ readonly endpoint: Endpoint; readonly close: () => Promise<void> }> {
  if (scripted === undefined) return { endpoint: endpointOf(process.env), close: async () => {} };
  const key = randomBytes(16).toString("hex");
  const server = await startScriptedServer({ scripts: await readScripts(folder, tasks), key });
  const variables = { CM_LIVE_PROTOCOL: scripted, CM_LIVE_URL: server.url, CM_LIVE_MODEL: "scripted" };
  return { endpoint: endpointOf({ ...variables, CM_LIVE_KEY: key }), close: server.close };
}

function print(results: LiveResults, { json }: LiveCommandOptions, out: string): void {
  if (json === true) process.stdout.write(`${JSON.stringify(results)}\n`);
  else process.stdout.write(`${liveTable(results.runs)}Report    ${join(out, "report.html")}\n`);
}

function described(policies: readonly PolicyName[]): Readonly<Record<string, string>> {
  return Object.fromEntries(policies.map((name) => [name, namedPolicies[name].describe]));
}
