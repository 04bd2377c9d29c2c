import type { Usage } from "@cm/context-log";
import type { AssembledRequest, LogState } from "@cm/context-log/state";
import {
  type Amended,
  type Checkout,
  type DocumentOf,
  defined,
  type SetChanges,
  type StepMessage,
  sealDocument,
  sessionObjectId,
  stepId,
  systemPromptId,
} from "@cm/object-model";
import type { Observed } from "../history/observed.ts";

/** What a step says about having been resumed. */
export type Resumed = NonNullable<DocumentOf<"step">["resumed"]>;

export interface StepContent {
  readonly request: AssembledRequest;
  readonly resumed: Resumed | undefined;
  /** The working copies, where they are others than after the step before. */
  readonly checkouts: readonly Checkout[] | undefined;
  readonly amended: Amended;
  readonly messages: readonly StepMessage[];
  readonly changes: SetChanges;
  readonly observedBefore: Observed;
  readonly observed: Observed;
  readonly redactions: number;
  readonly usage: Usage | undefined;
  /** The session that a fork leaves to another writer: the request was made in it. */
  readonly requestedIn: string | undefined;
  readonly recordedAtMs: number;
  /** Content hash of the step's keyframe, where that has a state. */
  readonly keyframe?: string | undefined;
}

export function stepDocument(state: LogState, n: number, content: StepContent): DocumentOf<"step"> {
  const {
    request,
    resumed,
    checkouts,
    amended,
    messages,
    changes,
    observedBefore,
    observed,
    redactions,
    usage,
    requestedIn,
  } = content;
  return sealDocument(
    { type: "step", id: stepId({ session: state.session, n }) },
    {
      content: null,
      session_ref: sessionObjectId(state.session),
      n,
      parent: state.head,
      ...defined({ requested_in: requestedIn, resumed }),
      ...(checkouts === undefined ? {} : { checkouts: [...checkouts] }),
      ...(amended.length > 0 ? { amended: [...amended] } : {}),
      messages: [...messages],
      turn: Math.max(0, state.turn),
      ...(Object.keys(request.changesBefore).length > 0 ? { changes_before: request.changesBefore } : {}),
      changes,
      ...(observedBefore.length > 0 ? { observed_before: [...observedBefore] } : {}),
      ...(observed.length > 0 ? { observed: [...observed] } : {}),
      layout: request.prompt.layout,
      decision: { ...request.decision },
      basis: request.basis,
      prompt_hash: request.hash,
      prompt_chars: request.prompt.chars,
      kept_chars: request.prompt.kept.chars,
      ...cachingOf(request),
      ...(redactions > 0 ? { redactions } : {}),
      ...(usage === undefined
        ? {}
        : {
            usage: {
              input: usage.input,
              output: usage.output,
              cache_read: usage.cacheRead,
              cache_write: usage.cacheWrite,
            },
          }),
      recorded_at: content.recordedAtMs,
      ...defined({ keyframe: content.keyframe }),
    },
  );
}

/** What the bill of a request depends on besides its text. */
function cachingOf({ prompt: { breakpoints }, servedChars, cache, askedAtMs }: AssembledRequest) {
  return {
    ...(breakpoints === undefined ? {} : { breakpoints: [...breakpoints] }),
    ...defined({ served_chars: servedChars }),
    ...(cache === "cold" ? { cache } : {}),
    ...defined({ requested_at: askedAtMs }),
  };
}

export function systemPromptDocument(session: string, text: string): DocumentOf<"system_prompt"> {
  return sealDocument(
    { type: "system_prompt", id: systemPromptId(session) },
    { content: text, session_ref: sessionObjectId(session) },
  );
}
