import type { Usage } from "@cm/context-log";
import type { AssembledRequest, LogState } from "@cm/context-log/state";
import {
  type Amended,
  type Checkout,
  type DocumentOf,
  defined,
  nonEmpty,
  type ObjectDocument,
  type SetChanges,
  type StepMessage,
  sealDocument,
  sessionObjectId,
  stepId,
  systemPromptId,
  type Write,
} from "@cm/object-model";
import type { Observed } from "../history/observed.ts";

/** What a step says about having been resumed. */
export type Resumed = NonNullable<DocumentOf<"step">["resumed"]>;

/** What a step's document takes over as it is. */
export interface StepFacts {
  readonly request: AssembledRequest;
  readonly resumed: Resumed | undefined;
  /** What others made of messages since the step before; the state has it already. */
  readonly amended: Amended;
  /** What the look before the request found changed; the state has it already. */
  readonly observedBefore: Observed;
  readonly usage: Usage | undefined;
  readonly recordedAtMs: number;
}

interface StepContent extends StepFacts {
  /** The working copies, where they are others than after the step before. */
  readonly checkouts: readonly Checkout[] | undefined;
  readonly messages: readonly StepMessage[];
  readonly changes: SetChanges;
  readonly observed: Observed;
  readonly redactions: number;
  /** The session that a fork leaves to another writer: the request was made in it. */
  readonly requestedIn: string | undefined;
  /** Content hash of the step's keyframe, where that has a state. */
  readonly keyframe?: string | undefined;
}

export function stepDocument(state: LogState, n: number, content: StepContent): DocumentOf<"step"> {
  const { request, resumed, checkouts, amended, messages, changes, usage } = content;
  const { observedBefore, observed, redactions, requestedIn } = content;
  return sealDocument(
    { type: "step", id: stepId({ session: state.session, n }) },
    {
      content: null,
      session_ref: sessionObjectId(state.session),
      n,
      parent: state.head,
      ...defined({ requested_in: requestedIn, resumed }),
      ...(checkouts === undefined ? {} : { checkouts: [...checkouts] }),
      ...nonEmpty({ amended: [...amended] }),
      messages: [...messages],
      turn: Math.max(0, state.turn),
      ...(Object.keys(request.changesBefore).length > 0 ? { changes_before: request.changesBefore } : {}),
      changes,
      ...nonEmpty({ observed_before: [...observedBefore], observed: [...observed] }),
      layout: request.prompt.layout,
      decision: { ...request.decision },
      basis: request.basis,
      prompt_hash: request.hash,
      prompt_chars: request.prompt.chars,
      kept_chars: request.prompt.kept.chars,
      ...cachingOf(request),
      ...(redactions > 0 ? { redactions } : {}),
      ...defined({ usage: usage && storedUsage(usage) }),
      recorded_at: content.recordedAtMs,
      ...defined({ keyframe: content.keyframe }),
    },
  );
}

const storedUsage = ({ input, output, cacheRead: cache_read, cacheWrite: cache_write }: Usage) => {
  return { input, output, cache_read, cache_write };
};

/** What the bill of a request depends on besides its text. */
function cachingOf({ prompt: { breakpoints }, servedChars, cache, askedAtMs }: AssembledRequest) {
  return {
    ...(breakpoints === undefined ? {} : { breakpoints: [...breakpoints] }),
    ...defined({ served_chars: servedChars }),
    ...(cache === "cold" ? { cache } : {}),
    ...defined({ requested_at: askedAtMs }),
  };
}

export const writesOf = <D extends ObjectDocument>(documents: Iterable<D>, expect: Write["expect"]): readonly Write[] =>
  Array.from(documents, (document) => ({ document, expect }));

export function systemPromptDocument(session: string, text: string): DocumentOf<"system_prompt"> {
  return sealDocument(
    { type: "system_prompt", id: systemPromptId(session) },
    { content: text, session_ref: sessionObjectId(session) },
  );
}
