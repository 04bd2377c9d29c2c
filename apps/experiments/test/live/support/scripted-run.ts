import { providerPrices } from "@cm/context-log";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { namedPolicies, type PolicyName } from "@cm/replay";
import type { Protocol } from "@cm/scripted-models";
import type { AskOptions } from "../../../src/live/endpoint/ask.ts";
import { endpointOf } from "../../../src/live/endpoint/endpoint.ts";
import { runTask } from "../../../src/live/run-task.ts";
import { readScripts, type Script, type ScriptedAnswer } from "../../../src/live/scripted/script.ts";
import { startScriptedServer } from "../../../src/live/scripted/scripted-server.ts";
import { type Experiment, readExperiment } from "../../../src/live/tasks/experiment.ts";
import type { Task } from "../../../src/live/tasks/task.ts";

export const liveFolder = new URL("../../../live", import.meta.url).pathname;
export const key = "planted-key-of-a-live-test";

export interface ScriptedRun {
  readonly protocol: Protocol;
  readonly policy: PolicyName;
  readonly store?: ObjectStore;
  readonly onBody?: (path: string, body: string) => void;
  readonly url?: string;
  readonly windowTokens?: number;
  readonly stepsMax?: number;
  readonly asking?: AskOptions;
}

/** A task of the app with its own script. */
export async function runNamed(name: string, run: ScriptedRun) {
  const experiment = await readExperiment(liveFolder, [name]);
  const [task] = experiment.tasks;
  if (task === undefined) throw new Error(`no task ${name}`);
  return runScripted(task, { ...run, experiment, scripts: await readScripts(liveFolder, [task]) });
}

/** A task made for a test, with what the model says to it. */
export async function runAnswers(task: Task, answers: readonly Partial<ScriptedAnswer>[], run: ScriptedRun) {
  const experiment = await readExperiment(liveFolder, ["plant-limit"]);
  const script = {
    title: task.prompts[0] ?? "",
    answers: answers.map((answer) => ({ text: "", calls: [], ...answer })),
  };
  return runScripted(task, { ...run, experiment, scripts: [script] });
}

interface WithScripts extends ScriptedRun {
  readonly experiment: Experiment;
  readonly scripts: readonly Script[];
}

async function runScripted(task: Task, { protocol, policy, store, onBody, asking, ...given }: WithScripts) {
  const server = await startScriptedServer({ scripts: given.scripts, key, ...(onBody && { onBody }) });
  try {
    const endpoint = endpointOf({
      ...{
        CM_LIVE_PROTOCOL: protocol,
        CM_LIVE_URL: given.url ?? server.url,
        CM_LIVE_KEY: key,
        CM_LIVE_MODEL: "scripted",
        CM_LIVE_WINDOW_TOKENS: given.windowTokens?.toString(),
      },
    });
    return await runTask(task, {
      ...{ experiment: given.experiment, endpoint, network: "open", repetition: 0, stepsMax: given.stepsMax },
      ...{ prices: providerPrices.anthropic5m, store: store ?? createMemoryStore(), ...(asking && { asking }) },
      policy: { name: policy, ...namedPolicies[policy] },
    });
  } finally {
    await server.close();
  }
}

/** A task with files as text, checked by its answer unless said otherwise. */
export function taskOf(files: Readonly<Record<string, string>>, more: Partial<Task> = {}): Task {
  const tree = (texts: Readonly<Record<string, string>>) =>
    new Map(Object.entries(texts).map(([path, text]) => [path, new TextEncoder().encode(text)]));
  return {
    ...{ name: "made", prompts: ["A task that a test made"], check: { kind: "exact", answer: "yes" } },
    ...{ quotes: undefined, images: [], files: tree(files), checkFiles: new Map(), sha256: "" },
    ...more,
  };
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
