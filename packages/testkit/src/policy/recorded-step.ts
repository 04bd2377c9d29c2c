import type { ContextView, PromptDecision, RenderedPrompt } from "@cm/context-log";
import { type DocumentOf, defined, type JsonObject, type SetChanges, type StepMessage, sha256 } from "@cm/object-model";

export interface StepFacts {
  readonly view: Pick<ContextView, "session" | "step" | "turn" | "cache">;
  readonly decision: PromptDecision;
  readonly prompt: RenderedPrompt;
  readonly messages: StepMessage[];
  readonly changes: SetChanges;
  readonly observed: NonNullable<DocumentOf<"step">["observed"]>;
}

/** A step's document, with what a log reads of it: nothing stores it, so its hashes are those of no content. */
export function recordedStep({ view, decision, prompt, messages, changes, observed }: StepFacts): DocumentOf<"step"> {
  const { session, step: n, turn, cache } = view;
  return {
    "xt/id": `step:${session}:${n}`,
    type: "step",
    content: null,
    content_hash: sha256(`${n}`),
    source: null,
    identity_hash: "",
    session_ref: `session:${session}`,
    n,
    parent: n === 0 ? null : { session, n: n - 1 },
    ...{ messages, turn, changes, observed },
    layout: prompt.layout,
    decision: decision as unknown as JsonObject,
    basis: "none",
    prompt_hash: sha256(""),
    prompt_chars: prompt.chars,
    kept_chars: prompt.kept.chars,
    recorded_at: 0,
    ...defined({ cache: cache === "cold" ? ("cold" as const) : undefined }),
  };
}
