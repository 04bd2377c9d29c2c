import type { ObjectStore } from "@cm/object-model";
import type { Session } from "@cm/session";
import type { AgentTool } from "@earendil-works/pi-agent-core";
import type { AgentOutcome } from "../agent/agent-outcome.ts";
import type { AgentRunOptions } from "../agent/agent-run.ts";
import { askModel } from "../agent/ask-model.ts";
import { approvalOf, noNoticesInFiles } from "../agent/call-checks.ts";
import { declaredChars } from "../agent/declared-chars.ts";
import { runAgent, runApprovedCalls } from "../agent/run-agent.ts";
import { isApproved } from "../agent/settle-calls.ts";
import type { RunEvents } from "../events/run-events.ts";
import type { GovernedRun } from "../governance/governed-run.ts";
import { resolveModel } from "../presets/resolve-model.ts";
import { codingTools, contextToolOf, isCodingTool } from "../tools/coding-tools.ts";
import { deferredOf, deferredTool } from "../tools/deferred-tools.ts";
import { delegateTool } from "../tools/delegate-tool.ts";
import { toolEnvironment } from "../tools/tool-environment.ts";
import { untilAnswered } from "../until-answered.ts";
import { openFiles } from "./environment.ts";
import { type Origin, readOrigin } from "./forked-folders.ts";
import type { LiveRun } from "./live-run.ts";
import { goToStart, openRunSession } from "./open-session.ts";
import { outcomeAt } from "./outcome-at.ts";
import type { RunPlan, RunSurroundings } from "./run-plan.ts";
import { systemPromptOf } from "./system-prompt.ts";

const originsOf = (folder: string): Origin => readOrigin(folder).filter(({ localPrefix }) => localPrefix === folder);

/**
 * Opens what a run needs, lets the agent work, and closes it again. Its events go into the live run's buffer.
 * @throws what the store or the session throws where the run cannot begin; `runAgent` has its own faults as an outcome
 */
export async function executeRun(
  plan: RunPlan,
  live: LiveRun,
  events: RunEvents,
  { store, env, owner, checks }: RunSurroundings,
  governed?: GovernedRun,
): Promise<AgentOutcome> {
  const { preset, folders } = plan;
  const beganMs = performance.now();
  const files = openFiles({ folders }, folders.flatMap(originsOf));
  try {
    const { model, models } = await resolveModel(preset.model, env);
    const plain = await toolsOf(plan, env);
    const systemPrompt = systemPromptOf(preset, folders);
    const toolChars = declaredChars(plain);
    const sessionPlan = { store, preset, files, systemPrompt, model, toolChars, owner, from: plan.from };
    const stream = askModel(models);
    const toolsFor = (session: Session) => {
      const tools = preset.policy === "plain" ? plain : [...plain, contextToolOf(session, files.cwd ?? "/")];
      return governed === undefined ? tools : governed.tools(tools);
    };
    const optionsFor = (session: Session): AgentRunOptions => ({
      ...{ store, session, bindAll: files.bindAll, signal: live.signal, inbox: live.inbox },
      ...{ input: newIn(plan, session), settled: plan.settled, cwd: files.cwd ?? "/", tools: toolsFor(session) },
      run: {
        ...{ runId: live.runId, conversationId: live.conversationId, preset: plan.presetName },
        get featureFlags() {
          return governed?.featureFlags ?? {};
        },
      },
      asked: {
        model,
        stream: governed === undefined ? stream : governed.stream(stream),
        ...(preset.thinking === undefined ? {} : { thinking: preset.thinking }),
      },
      deferred: new Set(deferredOf(preset.tools).map(({ name }) => name)),
      checks: [
        noNoticesInFiles,
        approvalOf(preset.approve),
        ...checks,
        ...(governed === undefined ? [] : [governed.checks]),
      ],
      budget: {
        stepsMax: preset.budget.stepsMax,
        tokensMax: preset.budget.tokensMax,
        ms: Math.max(0, Math.ceil(preset.budget.seconds * 1_000 - (performance.now() - beganMs))),
      },
      ...(governed === undefined ? {} : { goesOnWhereCut: true, dropsBroken: true, chain: () => governed.chain }),
      onEvent: (happened) => {
        governed?.saw(happened);
        live.push(events.of(happened));
      },
    });
    await untilAnswered(() => goToStart(sessionPlan));
    if (plan.settled.some(isApproved)) {
      // What an approved call did is kept before anything else can fail: it never runs again.
      const session = await untilAnswered(() => openRunSession(sessionPlan));
      await runApprovedCalls(optionsFor(session));
      await untilAnswered(() => session.close());
    }
    const session = await untilAnswered(() => openRunSession(sessionPlan));
    governed?.follows(session, systemPrompt);
    const outcome = (await outcomeBefore(plan, store)) ?? (await runAgent(optionsFor(session)));
    await (isDropped(outcome, plan) ? session.abandon() : untilAnswered(() => session.close()));
    return outcome;
  } finally {
    await files.close();
  }
}

/** What the session has not heard of a run's input. */
function newIn({ input, repeats = false }: RunPlan, session: Session): RunPlan["input"] {
  const { log } = session.view();
  const behind = log.slice(log.findLastIndex(({ kind }) => kind === "assistant") + 1);
  const heard = new Set(behind.flatMap((entry) => (entry.kind === "user" ? [entry.text] : [])));
  return repeats ? input.filter(({ text }) => !heard.has(text)) : input;
}

/** Of a task that a crash interrupted behind its last step: there is nothing to say to the model. */
const outcomeBefore = async ({ from, input, settled, preset }: RunPlan, store: ObjectStore) =>
  from.kind === "continue" && input.length + settled.length === 0 ? outcomeAt(from.at, preset, store) : undefined;

/**
 * What a failed run took in is dropped: the next one begins where this one did. So it is where no step came of it and
 * calls were left unanswered: they wait on, and who answers them later is heard.
 */
const isDropped = ({ end, last }: AgentOutcome, { settled }: RunPlan): boolean =>
  end === "failed" || (last === undefined && settled.some(({ automatic }) => automatic === true));

async function toolsOf({ preset, folders, delegates }: RunPlan, env: NodeJS.ProcessEnv): Promise<readonly AgentTool[]> {
  const [cwd] = folders;
  const names = preset.tools.filter((tool) => typeof tool === "string").filter(isCodingTool);
  const coding = cwd === undefined ? [] : await codingTools(names, cwd, toolEnvironment(env));
  const subagents = preset.subagents.map(({ name }) => name);
  const delegate = delegates === undefined || subagents.length === 0 ? [] : [delegateTool(subagents, delegates)];
  return [...coding, ...deferredOf(preset.tools).map(deferredTool), ...delegate];
}
