import { providerPrices } from "@cm/context-log";
import type { ObjectStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { forkSession, openSession, returnToStep, type Session } from "@cm/session";
import { createRedactor } from "@cm/sources-fs";
import type { Api, Model } from "@earendil-works/pi-ai";
import type { Preset } from "../presets/preset-schema.ts";
import type { RunFiles } from "./environment.ts";
import type { StartingPoint } from "./run-plan.ts";

export interface SessionPlan {
  readonly store: ObjectStore;
  readonly from: StartingPoint;
  readonly preset: Preset;
  readonly files: RunFiles;
  readonly systemPrompt: string;
  readonly model: Model<Api>;
  /** Characters of the tools' declarations. */
  readonly toolChars: number;
  readonly owner: string;
}

/** Takes the session of a run to the step that the run follows: what a failed run left behind it is on no way to it. */
export async function goToStart({ store, from, owner }: Pick<SessionPlan, "store" | "from" | "owner">): Promise<void> {
  if (from.kind === "fork") await forkSession(store, from.at, { session: from.session });
  // What a run took in and did not come to stays, such as a message that came too late for it.
  if (from.kind === "continue") await returnToStep(store, from.at, { owner, withPause: true });
}

/** The session of a run, where it stands. */
export function openRunSession(plan: SessionPlan): Promise<Session> {
  const { store, from, preset, files, systemPrompt, model, toolChars, owner } = plan;
  return openSession({
    ...{ store, rendererFor, systemPrompt, owner, layout: layouts[preset.policy], redact: createRedactor() },
    session: from.kind === "continue" ? from.at.session : from.session,
    sources: files.source === undefined ? [] : [files.source],
    prices: pricesOf(model),
    headChars: systemPrompt.length + toolChars,
  });
}

function pricesOf({ api }: Model<Api>) {
  return api === "anthropic-messages" ? providerPrices.anthropic5m : providerPrices.openaiGpt5;
}
