import {
  type ContextPolicy,
  type ContextView,
  defaultPrices,
  type FileTouch,
  type Layout,
  type PromptDecision,
  type Renderer,
  type StepRecord,
} from "@cm/context-log";
import { createMemoryStore, type JsonObject } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { absentFiles, replayFilesystemId } from "@cm/replay";
import { openSession, type Session } from "@cm/session";
import { longRequestsScript, type ScriptedStep } from "./long-requests-script.ts";

/** Milliseconds of one request. */
export interface RequestTimes {
  /** Policy and renderer. */
  readonly madeMs: number;
  /** The session's whole time for the request, including those two; its looks at files have no source. */
  readonly assembleMs: number;
  readonly folds: boolean;
}

export interface LongRequests {
  readonly requests: readonly RequestTimes[];
  /** One more request, whose prompt no cache has. */
  readonly cold: RequestTimes;
  readonly objects: number;
  /** The next view of policies; the session is closed. */
  readonly view: ContextView;
}

const recording = { id: "long-requests", cwd: "/generated" };

/** Plays the long session on a store in memory and takes the time of each request. */
export async function longRequests(layout: Layout = layouts.log): Promise<LongRequests> {
  const timed = new TimedLayout(layout);
  const files = absentFiles(recording);
  const session = await openSession({
    store: createMemoryStore(),
    layout: timed,
    rendererFor,
    session: recording.id,
    sources: [files.source],
    prices: defaultPrices,
  });
  const requests: RequestTimes[] = [];
  let step = 0;
  for (const scripted of longRequestsScript()) {
    if (scripted.prompt !== undefined) await session.receive([{ role: "user", text: scripted.prompt }]);
    requests.push(await timed.request(session));
    await session.record(await recordOf(step, scripted, files.touchesOf));
    step += 1;
  }
  const cold = await timed.request(session, "cold");
  const view = session.view();
  await session.close();
  await files.close();
  return { requests, cold, objects: view.sets.index.size, view };
}

/** Takes the time of a policy and a renderer. */
class TimedLayout implements Layout {
  readonly policy: ContextPolicy;
  readonly renderer: Renderer;
  #madeMs = 0;
  #decision: PromptDecision = {};

  constructor({ policy, renderer }: Layout) {
    this.policy = {
      ...policy,
      decide: (view, prices) => {
        this.#decision = this.#timed(() => policy.decide(view, prices));
        return this.#decision;
      },
    };
    this.renderer = {
      ...renderer,
      render: (view, decision) => this.#timed(() => renderer.render(view, decision)),
    };
  }

  async request(session: Session, cache: ContextView["cache"] = "warm"): Promise<RequestTimes> {
    this.#madeMs = 0;
    const started = performance.now();
    await session.assemble({ cache });
    const assembleMs = performance.now() - started;
    return { madeMs: this.#madeMs, assembleMs, folds: this.#decision.fold !== undefined };
  }

  #timed<T>(task: () => T): T {
    const started = performance.now();
    const made = task();
    this.#madeMs += performance.now() - started;
    return made;
  }
}

type TouchesOf = ReturnType<typeof absentFiles>["touchesOf"];

async function recordOf(
  step: number,
  { said, use, discovered }: ScriptedStep,
  touchesOf: TouchesOf,
): Promise<StepRecord> {
  const callId = `call_${step}`;
  const call = { id: callId, name: use.name, args: use.args };
  const touched = await touchesOf(call, { text: use.output, failed: false });
  const filesystemId = replayFilesystemId(recording.id);
  // The files count as read: without a source, a file that was only discovered would not enter the index.
  const found = discovered.map(
    (path): FileTouch => ({ binding: { type: "filesystem", filesystemId, path: `/generated/${path}` }, as: "read" }),
  );
  return {
    answer: { role: "assistant", text: said, calls: [{ callId, tool: use.name, args: use.args as JsonObject }] },
    results: [{ role: "tool", callId, text: use.output, failed: false, files: [...touched, ...found] }],
  };
}
