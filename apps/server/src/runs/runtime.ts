import { randomUUID } from "node:crypto";
import type { Lineage, Run } from "@cm/lineage";
import { defined, isCmError } from "@cm/object-model";
import type { AgentOutcome } from "../agent/agent-outcome.ts";
import type { InboxMessage } from "../agent/inbox.ts";
import { serverError } from "../errors.ts";
import { RunEvents } from "../events/run-events.ts";
import type { AskedTask } from "../governance/asked-task.ts";
import { GovernedRun } from "../governance/governed-run.ts";
import { limits } from "../limits.ts";
import type { DeferredToolSetting } from "../presets/preset-schema.ts";
import type { Presets } from "../presets/read-presets.ts";
import { untilAnswered } from "../until-answered.ts";
import { callerName } from "./caller.ts";
import { executeRun } from "./execute-run.ts";
import type { LiveRun } from "./live-run.ts";
import { LiveRuns } from "./live-runs.ts";
import { planOf, recoveredPlan, withTools } from "./plan-run.ts";
import { endOf } from "./run-end.ts";
import { isEmptyInput, messageOf, type RunInput } from "./run-input.ts";
import type { RunSurroundings } from "./run-plan.ts";
import type { WantedKind, WantedRun } from "./run-requests.ts";
import { startRun } from "./start-run.ts";

export interface RuntimeOptions extends RunSurroundings {
  readonly lineage: Lineage;
  readonly presets: Presets;
  /** Folders below which environments lie, as they are on disk; the first is what relative ones are relative to. */
  readonly roots: readonly string[];
  /** Where forks get folders of their own: below one of the roots. Default: nowhere. */
  readonly forks?: string | undefined;
  readonly bufferMs?: number | undefined;
  readonly bufferBytesMax?: number | undefined;
  readonly runsMax?: number | undefined;
  readonly observer?: RuntimeObserver | undefined;
}

/** Counts or logs what happens. */
export interface RuntimeObserver {
  started(run: Run): void;
  ended(run: Run, outcome: AgentOutcome | undefined): void;
  /** A fault that no caller is told of. */
  fault(what: string, error: unknown): void;
}

/** The runs of this server: begins them, lets people reach them while they go on, and records how they end. */
export class Runtime {
  readonly live: LiveRuns;
  readonly #options: RuntimeOptions;
  /** Runs that were taken and are not in the records yet. */
  #starting = 0;

  constructor(options: RuntimeOptions) {
    this.#options = options;
    this.live = new LiveRuns(options);
  }

  get lineage(): Lineage {
    return this.#options.lineage;
  }

  get presets(): Presets {
    return this.#options.presets;
  }

  /**
   * Begins a run, and returns when it is in the records; it goes on whether or not a caller waits.
   * @throws CmError `lineage/busy` with the id of the run that runs, `lineage/not-found`, `lineage/invalid`,
   * `server/unknown-preset`, `server/unknown-folder`, `server/invalid-request`, `server/busy`, what the store throws
   */
  async start(kind: WantedKind, wanted: WantedRun): Promise<LiveRun> {
    this.#checkRoom();
    this.#starting += 1;
    try {
      const goesOn = kind.kind === "continue" || kind.kind === "fire";
      if (goesOn && wanted.recovers === undefined) await this.#options.governance?.checkStart(kind.conversationId);
      const run = await startRun(kind, wanted, this.#options);
      const { task, recovers, continues, tools, repeats = false } = wanted;
      return this.#begin(run, {
        depth: 0,
        asked: { user: callerName(), ...defined({ task, recovers, continues }) },
        ...{ tools, repeats },
      });
    } finally {
      this.#starting -= 1;
    }
  }

  /** A message for the agent's run of a conversation. @returns whether it is new */
  steerConversation(conversationId: string, input: RunInput, options: SteerOptions): boolean {
    const live = this.live.running(conversationId).find(({ sessionType }) => sessionType === "agent");
    if (live !== undefined) return this.#steer(live, input, options);
    const [starting] = this.lineage.registry.runningIn(conversationId).filter((id) => this.live.get(id) === undefined);
    if (starting !== undefined) throw notReady(starting);
    throw notRunning(`Nothing runs in the conversation ${shortened(conversationId)}.`);
  }

  /** The same for one run. */
  steerRun(runId: string, input: RunInput, options: SteerOptions): boolean {
    const live = this.live.get(runId);
    if (live === undefined && this.lineage.registry.isRunning(runId)) throw notReady(runId);
    if (live === undefined || live.isOver) throw notRunning(`The run ${shortened(runId)} does not run here.`);
    return this.#steer(live, input, options);
  }

  /** @returns how many runs of the conversation were asked to end */
  interruptConversation(conversationId: string): number {
    return this.lineage.registry.interruptConversation(conversationId);
  }

  /** @throws CmError `lineage/not-found` for a run that does not run here */
  interruptRun(runId: string): void {
    this.lineage.registry.interrupt(runId);
  }

  /** Takes no new runs, waits for those that go on, and asks the last of them to end. */
  async drain(drainMs: number = limits.drainMs): Promise<void> {
    this.lineage.registry.beginShutdown();
    const over = Promise.all(this.live.running().map(({ done }) => done));
    if (await within(over, drainMs)) return;
    for (const live of this.live.running()) live.interrupt();
    await within(Promise.all(this.live.running().map(({ done }) => done)), limits.interruptMs);
  }

  #checkRoom(): void {
    const { runsMax = limits.runsMax } = this.#options;
    if (this.live.running().length + this.#starting >= runsMax)
      throw serverError("server/busy", `This server executes ${runsMax} runs already; try again later.`);
  }

  #steer(live: LiveRun, input: RunInput, { id = randomUUID(), when = "next-call" }: SteerOptions): boolean {
    if (isEmptyInput(input)) throw serverError("server/invalid-request", "The input is empty; say something.");
    return live.say(messageOf(input, id), when);
  }

  /** From here on the run has an end in the records, whatever happens to it. */
  #begin(run: Run, begun: Begun): LiveRun {
    const { lineage, observer } = this.#options;
    const { session_id: runId, conversation_id: conversationId, session_type: sessionType } = run;
    const live = this.live.begin({ runId, conversationId, sessionType });
    lineage.registry.attach(runId, {
      ...{ conversationId, sessionType },
      interrupt: () => live.interrupt(),
      steer: (message: InboxMessage) => void live.say(message),
    });
    observer?.started(run);
    void this.#work(run, live, begun);
    return live;
  }

  async #work(run: Run, live: LiveRun, begun: Begun): Promise<void> {
    const { observer } = this.#options;
    const { session_id: runId, conversation_id: conversationId, parent_session_id: parent } = run;
    const clientTools = begun.tools?.map(({ name }) => name);
    const events = new RunEvents({ runId, conversationId, parentRunId: parent ?? undefined, clientTools });
    live.push(events.started());
    let outcome: AgentOutcome | undefined;
    let ended = run;
    try {
      outcome = await this.#execute(run, live, events, begun);
      if (outcome.fault !== undefined) observer?.fault(`The run ${runId} failed.`, outcome.fault);
      ended = await this.#record(run, live, outcome);
    } catch (error) {
      observer?.fault(`The run ${runId} could not be recorded.`, error);
      outcome = { ...(outcome ?? nothing), end: "failed", reason: sentenceOf(error) };
      ended = { ...run, status: "failed" };
    } finally {
      live.push(events.ended(outcome ?? nothing, ended.status));
      lineageForget(this.lineage, runId);
      this.live.end(live);
      observer?.ended(ended, outcome);
    }
  }

  async #execute(
    run: Run,
    live: LiveRun,
    events: RunEvents,
    { depth, asked, tools = [], repeats = false }: Begun,
  ): Promise<AgentOutcome> {
    try {
      const delegates =
        depth >= limits.subagentDepthMax
          ? undefined
          : { delegate: (name: string, task: string) => this.#delegate(run, { name, task, depth: depth + 1 }) };
      const planned = { ...withTools(await planOf(run, delegates, this.#options), tools), repeats };
      const { recovers } = asked;
      const plan = recovers === undefined ? planned : await recoveredPlan(planned, { run, recovers }, this.#options);
      const parts = await this.#options.governance?.begin({ run, plan, live, asked });
      if (parts === undefined) return await executeRun(plan, live, events, this.#options);
      const governed = new GovernedRun(parts);
      return await governed.during(() => executeRun(plan, live, events, this.#options, governed));
    } catch (error) {
      return { ...nothing, end: "failed", reason: sentenceOf(error), fault: error };
    }
  }

  /** Its end in the records: a step's address, or the reason why there is none. */
  async #record(run: Run, live: LiveRun, outcome: AgentOutcome): Promise<Run> {
    const { session_id: id } = run;
    const end = endOf(run, outcome, live.display.all());
    try {
      return await untilAnswered(async () => {
        if (end !== undefined) return (await this.lineage.commit(id, end)).run;
        if (outcome.end === "interrupted") return this.lineage.endInterrupted(id);
        return this.lineage.fail(id, outcome.reason ?? "It failed.");
      });
    } catch (error) {
      // An end that the records do not take, such as too many calls that wait: without any it would hold its conversation.
      await this.lineage.fail(id, sentenceOf(error)).catch(() => undefined);
      throw error;
    }
  }

  async #delegate(
    spawner: Run,
    { name, task, depth }: { readonly name: string; readonly task: string; readonly depth: number },
  ): Promise<string> {
    const { preset } = this.presets.get(spawner.preset_id ?? undefined);
    const subagent = preset.subagents.find((each) => each.name === name);
    if (subagent === undefined) throw serverError("server/invalid-request", "There is no subagent of that name.");
    this.#checkRoom();
    const siblings = this.live.running(spawner.conversation_id).filter(({ sessionType }) => sessionType !== "agent");
    if (siblings.length >= limits.subagentsMax)
      throw serverError("server/busy", `${limits.subagentsMax} subagents work already; wait until one has finished.`);
    const { preset: own } = this.presets.get(subagent.preset);
    const run = await this.lineage.subagent({
      ...{ spawnedBy: spawner.session_id, name, input: task, presetId: subagent.preset },
      ...(own.folders === undefined ? {} : { presetEnvironment: { projects: own.folders } }),
    });
    this.#begin(run, { depth, asked: { spawnedBy: spawner.session_id } });
    return run.session_id;
  }
}

interface Begun {
  /** How many runs began one another before it. */
  readonly depth: number;
  readonly asked: AskedTask;
  /** What its caller can do, beside the tools of its preset. */
  readonly tools?: readonly DeferredToolSetting[] | undefined;
  /** Its input was said before. */
  readonly repeats?: boolean;
}

export interface SteerOptions {
  /** Each id is seen once. Default: a fresh one. */
  readonly id?: string | undefined;
  readonly when?: "next-call" | "at-end" | undefined;
}

const nothing: AgentOutcome = { end: "failed", last: undefined, text: "", usage: [], awaited: [] };

const notReady = (runId: string) =>
  serverError("server/not-ready", `The run ${runId} takes no messages yet; try again in a moment.`, { id: runId });

const notRunning = (message: string) => serverError("server/not-running", message);

const shortened = (id: string): string => JSON.stringify(id.slice(0, 100)).slice(1, -1);

/** For the caller of a run: what we say ourselves, and of anything else only that it happened. */
function sentenceOf(error: unknown): string {
  if (isCmError(error, "lineage/bad-move") || isCmError(error, "lineage/not-ours")) return takenForDead;
  return isCmError(error) ? error.message : "The server met a fault of its own; its log names it.";
}

const takenForDead =
  "This server did not renew its lease in time, so that another one took it for dead and failed the run; begin another run, or recover its task.";

/** A run whose end could not be written runs no more: others may take its conversation when the lease is over. */
function lineageForget({ registry }: Lineage, runId: string): void {
  if (registry.isRunning(runId)) registry.remove(runId);
}

async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
