import { modelNamed } from "../format/dialect.ts";
import { isWellFormed } from "../format/entry-schema.ts";
import type { AgentMessage, SessionEntry } from "../format/session-entry.ts";

/** What holds at the end of a path, beside its messages. */
export interface ContextState {
  readonly thinkingLevel: string;
  /** Role to "provider/id". */
  readonly models: Readonly<Record<string, string>>;
  /** Names of rules, each once, in the order of their first appearance. */
  readonly injectedTtsrRules: readonly string[];
  /** `none` where nothing was chosen. */
  readonly mode: string;
  readonly modeData?: unknown;
}

export interface StateOptions {
  /** Whether the model that answered last counts even where one was chosen before, as in Pi. */
  readonly answersChooseModel: boolean;
}

export function stateAlong(path: readonly SessionEntry[], { answersChooseModel }: StateOptions): ContextState {
  let thinkingLevel = "off";
  let mode: { mode: string; modeData?: unknown } = { mode: "none" };
  let chosen = false;
  const models = new Map<string, string>();
  const rules = new Set<string>();
  for (const entry of path) {
    if (!isWellFormed(entry)) continue;
    if (entry.type === "thinking_level_change") thinkingLevel = entry.thinkingLevel ?? "off";
    else if (entry.type === "mode_change") mode = modeOf(entry);
    else if (entry.type === "ttsr_injection") for (const rule of entry.injectedRules) rules.add(rule);
    else if (entry.type === "model_change") {
      const [role, model] = [entry.role ?? "default", modelNamed(entry)];
      if (model !== undefined) models.set(role, model);
      chosen ||= role === "default" && model !== undefined;
    } else if (entry.type === "message" && (answersChooseModel || !chosen)) {
      const model = answeredBy(entry.message);
      if (model !== undefined) models.set("default", model);
    }
  }
  return { thinkingLevel, models: Object.fromEntries(models), injectedTtsrRules: [...rules], ...mode };
}

function modeOf({ mode, data }: { readonly mode: string; readonly data?: unknown }) {
  return data === undefined ? { mode } : { mode, modeData: data };
}

function answeredBy({ role, provider, model }: AgentMessage): string | undefined {
  if (role !== "assistant" || typeof provider !== "string" || typeof model !== "string") return undefined;
  return `${provider}/${model}`;
}
