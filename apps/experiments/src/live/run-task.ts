import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IncomingUser, Prices, RenderedPrompt } from "@cm/context-log";
import type { ObjectStore } from "@cm/object-model";
import type { Recording } from "@cm/recordings";
import { layoutFor, type NamedPolicy, rendererFor } from "@cm/replay";
import { openSession, type Redactor, type Session } from "@cm/session";
import { createRedactor } from "@cm/sources-fs";
import type { Workspace } from "../example/tools/tool.ts";
import { presentFiles } from "../replay/present-files.ts";
import { Images } from "./agent/images.ts";
import { type Network, shellFor } from "./agent/isolation.ts";
import { type AgentOutcome, runAgent } from "./agent/run-agent.ts";
import type { AskOptions } from "./endpoint/ask.ts";
import type { Endpoint } from "./endpoint/endpoint.ts";
import { billedTokens, type LiveRun } from "./results/live-result.ts";
import { checkAnswer } from "./tasks/check-answer.ts";
import { checkTests } from "./tasks/check-tests.ts";
import { type CitationResult, checkCitations } from "./tasks/citations.ts";
import type { Experiment } from "./tasks/experiment.ts";
import type { Task } from "./tasks/task.ts";
import { writeTree } from "./tasks/task-files.ts";

/** The working folder as prompts name it: no path of the machine. */
export const shownFolder = "/task";

export interface TaskSetting {
  readonly experiment: Experiment;
  readonly endpoint: Endpoint;
  readonly policy: { readonly name: string } & NamedPolicy;
  readonly prices: Prices;
  readonly network: Network;
  readonly repetition: number;
  readonly seed?: number | undefined;
  readonly stepsMax?: number | undefined;
  readonly asking?: AskOptions;
  readonly store: ObjectStore;
  readonly onRequest?: (prompt: RenderedPrompt, n: number) => void;
}

/** Lets the agent work on a copy of the task's files, then scores what it left. The copy is gone in either case. */
export async function runTask(task: Task, setting: TaskSetting): Promise<Omit<LiveRun, "database">> {
  const started = performance.now();
  const root = await realpath(await mkdtemp(join(tmpdir(), "cm-live-")));
  const workspace: Workspace = { root, shownAs: shownFolder, shell: shellFor(setting.network) };
  try {
    await writeTree(task.files, root);
    const { session, outcome, citations } = await work(task, setting, workspace);
    const seconds = (performance.now() - started) / 1000;
    const { policy, prices, repetition, seed } = setting;
    const { end, requests, retries, tokens, answeredBy } = outcome;
    return {
      ...{ task: task.name, policy: policy.name, layout: policy.renderer.layout, repetition, seed },
      ...(await score(task, outcome, workspace)),
      ...{
        citations,
        end,
        answeredBy,
        requests,
        retries,
        tokens,
        billed: billedTokens(tokens, prices),
        seconds,
        session,
      },
    };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function work(task: Task, setting: TaskSetting, workspace: Workspace) {
  const { experiment, endpoint, policy, prices, store } = setting;
  const { systemPrompt, tools } = experiment;
  const name = `${task.name}-${policy.name}-${setting.repetition}`;
  const recording = nothingRecorded(name, systemPrompt);
  const files = presentFiles(recording, workspace.root);
  try {
    const session = await openSession({
      ...{ store, prices, rendererFor, session: name, systemPrompt, sources: [files.source], owner: "live" },
      layout: layoutFor(policy, recording),
      redact: withoutKey(endpoint, createRedactor()),
      headChars: systemPrompt.length + JSON.stringify(tools).length,
    });
    const { seed, stepsMax, asking = {}, onRequest } = setting;
    const prompts = promptsOf(task);
    const images = new Images(store, prompts);
    const run = { session, files, workspace, endpoint, tools, images, seed, stepsMax, asking, onRequest };
    const outcome = await runAgent(run, prompts);
    const citations = await cited(task, outcome, { session, store });
    await session.close();
    return { session: name, outcome, citations };
  } finally {
    await files.close();
  }
}

const promptsOf = ({ prompts, images }: Task): readonly IncomingUser[] =>
  prompts.map((text, index) => ({ role: "user", text, ...(index === 0 ? { attachments: images } : {}) }));

/** A recording without events, for a live session that has no recording yet. */
const nothingRecorded = (id: string, systemPrompt: string): Recording => ({
  ...{ format: "pi", id, cwd: shownFolder, systemPrompt, events: [], skippedLines: 0, warnings: [] },
});

async function cited(
  { quotes }: Task,
  { answer, lastStep }: AgentOutcome,
  { session, store }: { readonly session: Session; readonly store: ObjectStore },
): Promise<CitationResult | undefined> {
  if (quotes === undefined) return undefined;
  if (lastStep === undefined) return { ok: false, given: 0, found: 0 };
  return checkCitations(answer, quotes, { store, session, n: lastStep, shownAs: shownFolder });
}

async function score({ check, checkFiles }: Task, { answer }: AgentOutcome, workspace: Workspace) {
  return check.kind === "tests" ? checkTests(checkFiles, check.passes, workspace) : checkAnswer(answer, check);
}

/** The key can come back in whatever a tool or an endpoint says. It is kept out of everything that is stored or sent. */
function withoutKey(endpoint: Endpoint, redact: Redactor): Redactor {
  const key = endpoint.key();
  if (key === undefined || key === "") return redact;
  return (text) => {
    const parts = text.split(key);
    const { text: clean, count } = redact(parts.join("[redacted:live-key]"));
    return { text: clean, count: count + parts.length - 1 };
  };
}
