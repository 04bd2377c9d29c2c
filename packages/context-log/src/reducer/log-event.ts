import type { Amended, DocumentOf, SetChanges, StepAddress, StepMessage } from "@cm/object-model";
import type { KeyframeBase } from "../keyframe/keyframe-chain.ts";
import type { Prices } from "../prices.ts";
import type { StepObjects } from "../state/step-objects.ts";
import type { PlaceRange, RenderedPrompt, ViewObject } from "../view.ts";

type Step = DocumentOf<"step">;
type FileObjects = Pick<StepObjects, "file" | "isMissing" | "isPassedOver">;

/** Whatever can happen to the log of a session. An open session makes these, and reading one back makes the same. */
export type LogEvent =
  /** Messages came before a request, with the changes of the sets that they mean. */
  | {
      readonly event: "received";
      readonly messages: readonly StepMessage[];
      readonly changes: SetChanges;
      readonly objects: StepObjects;
      readonly observed?: NonNullable<Step["observed"]>;
    }
  /** A scan before a request found file versions (SSOT 5.6). */
  | { readonly event: "observed"; readonly observed: NonNullable<Step["observed"]>; readonly objects: FileObjects }
  /** The session was resumed: what changed meanwhile stands in the log once, before the next prompt. */
  | { readonly event: "resumed"; readonly resumed: NonNullable<Step["resumed"]>; readonly objects: FileObjects }
  /** Others changed what is sent of messages. */
  | { readonly event: "amended"; readonly amended: Amended }
  /** The agent, its prompts or a decision moved objects between the sets. */
  | { readonly event: "moved"; readonly changes: SetChanges }
  /** A text that left the prompt is at hand again. */
  | { readonly event: "brought"; readonly object: ViewObject }
  | { readonly event: "system prompt"; readonly text: string }
  /** A step was read back, up to its request: all of the above that it recorded. */
  | { readonly event: "requested"; readonly step: Step; readonly objects: StepObjects }
  /** A prompt was rendered for the request; undefined where no renderer knows it. */
  | { readonly event: "sent"; readonly prompt: RenderedPrompt | undefined }
  /** A step is written: its decision, its answer and results, and its other changes. */
  | { readonly event: "finished"; readonly step: Step; readonly objects: StepObjects; readonly prices: Prices }
  /** A step was erased: a mark stands where its messages were. */
  | { readonly event: "erased"; readonly address: StepAddress; readonly contentHash: string }
  /** The next step is the first of another session, which continues this path. */
  | { readonly event: "forked"; readonly session: string }
  /** The next keyframe builds on this one; on none where it is undefined. */
  | { readonly event: "keyframe"; readonly base: KeyframeBase | undefined };

/** What an event changed. Plain data. */
export interface AppliedChanges {
  /** Places of the entries that came, `from` up to `to`. */
  readonly entries: { readonly from: number; readonly to: number };
  /** Keys of the arguments of calls of earlier steps whose results came. */
  readonly answered: readonly string[];
  /** Places of entries that have other text or arguments now. */
  readonly amended: readonly number[];
  /** Places whose entries left the prompt. */
  readonly omitted: readonly PlaceRange[];
  /** Keys of the parts to which a decision gave a form. */
  readonly forms: readonly string[];
  /** Changes of the sets, in the order in which they were made. */
  readonly sets: readonly SetChanges[];
}
