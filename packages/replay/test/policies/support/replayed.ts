import { type ContextView, defaultPrices, type PromptDecision, type RenderedPrompt } from "@cm/context-log";
import { createMemoryStore } from "@cm/object-model";
import type { Recording } from "@cm/recordings";
import { rebuildPrompts } from "@cm/session";
import { type ReplayFigures, replayRecording } from "../../../src/index.ts";
import { namedPolicies, type PolicyName } from "../../../src/policies/named-policies.ts";
import { layoutFor } from "../../../src/policies/named-policy.ts";
import { rendererFor } from "../../../src/policies/renderer-for.ts";
import { longRecording } from "./long-recording.ts";

export interface Request {
  /** How long the prompt was that stood before this one, head included; 0 for the first. */
  readonly charsBefore: number;
  readonly decision: PromptDecision;
  readonly prompt: RenderedPrompt;
}

export interface Replayed extends Pick<ReplayFigures, "totals"> {
  readonly requests: readonly Request[];
  /** Requests that came out of the store as they were sent. */
  readonly rebuilt: number;
}

const known = new Map<PolicyName, Promise<Replayed>>();

/** The long recording under one policy, in memory; replayed once for all tests of a file. */
export function replayed(name: PolicyName): Promise<Replayed> {
  const run = known.get(name) ?? replay(longRecording(), name);
  known.set(name, run);
  return run;
}

async function replay(recording: Recording, name: PolicyName): Promise<Replayed> {
  const store = createMemoryStore();
  const { policy, renderer } = layoutFor(namedPolicies[name], recording);
  const requests: Request[] = [];
  const render = (view: ContextView, decision: PromptDecision): RenderedPrompt => {
    const prompt = renderer.render(view, decision);
    const charsBefore = view.sent === undefined ? 0 : view.sent.chars + view.ledger.headChars;
    requests.push({ charsBefore, decision, prompt });
    return prompt;
  };
  const layout = { policy, renderer: { ...renderer, render } };
  const { totals } = await replayRecording(recording, { store, layout, session: name, prices: defaultPrices });
  let rebuilt = 0;
  for await (const { hash, recordedHash } of rebuildPrompts(store, name, rendererFor))
    if (hash === recordedHash) rebuilt += 1;
  return { totals, requests, rebuilt };
}

/** The requests in which something was folded. */
export function folds({ requests }: Replayed): readonly Request[] {
  return requests.filter(({ decision }) => decision.fold !== undefined);
}
