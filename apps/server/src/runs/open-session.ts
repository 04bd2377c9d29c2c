import { providerPrices } from "@cm/context-log";
import { isCmError, type ObjectStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { forkSession, openSession, type ReturnTarget, returnToStep, type Session } from "@cm/session";
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
  if (from.kind === "fork" && (await isForked(store, from))) return;
  try {
    // What a run took in and did not come to stays, such as a message that came too late for it.
    await returnToStep(store, startOf(from), { owner, withPause: true });
  } catch (error) {
    // The first one of its conversation makes it.
    if (from.kind !== "root" || !isCmError(error, "session/not-found")) throw error;
  }
}

function startOf(from: StartingPoint): ReturnTarget {
  if (from.kind === "root") return { session: from.session, n: null };
  const { session, n } = from.at;
  return from.kind === "fork" ? { session: from.session, n, of: session } : from.at;
}

/** False where a run that failed has begun the fork before. */
async function isForked(store: ObjectStore, { at, session }: Extract<StartingPoint, { kind: "fork" }>) {
  try {
    await forkSession(store, at, { session });
    return true;
  } catch (error) {
    if (isCmError(error, "session/exists")) return false;
    throw error;
  }
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
