import { providerPrices } from "@cm/context-log";
import { isDocumentOf, type ObjectStore, type StepAddress, sessionObjectId } from "@cm/object-model";
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

/** The session of a run, at the step that the run follows: what a failed run left behind it is on no way to it. */
export async function openRunSession(plan: SessionPlan): Promise<Session> {
  const { store, from, preset, files, systemPrompt, model, toolChars, owner } = plan;
  if (from.kind === "fork") await forkSession(store, from.at, { session: from.session });
  if (from.kind === "continue") await goTo(store, from.at, owner);
  return openSession({
    ...{ store, rendererFor, systemPrompt, owner, layout: layouts[preset.policy], redact: createRedactor() },
    session: from.kind === "continue" ? from.at.session : from.session,
    sources: files.source === undefined ? [] : [files.source],
    prices: pricesOf(model),
    headChars: systemPrompt.length + toolChars,
  });
}

/** A head that is there already may have messages before it that a run took in and did not come to: they stay. */
async function goTo(store: ObjectStore, at: StepAddress, owner: string): Promise<void> {
  const id = sessionObjectId(at.session);
  const document = (await store.getMany([id])).get(id)?.document;
  const head = document !== undefined && isDocumentOf(document, "session") ? document.head : undefined;
  if (head?.session === at.session && head.n === at.n) return;
  await returnToStep(store, { session: at.session, n: at.n }, { owner });
}

function pricesOf({ api }: Model<Api>) {
  return api === "anthropic-messages" ? providerPrices.anthropic5m : providerPrices.openaiGpt5;
}
