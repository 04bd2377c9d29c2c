import { type ContextView, type PartForm, resultPart } from "@cm/context-log";
import { type FoldCandidate, isMember, promptEstimate, showsAny } from "../context-log/estimate.ts";
import { type ContextLogOptions, type ContextLogSettings, settingsOf } from "../context-log/policy.ts";
import { retained } from "../context-log/retention.ts";
import { partsOf } from "../log-index/log-parts.ts";
import type { Part } from "../log-index/part.ts";
import type { ProtectedBy } from "../protection.ts";

/** Why a part of an object stands as it does in the next prompt. */
export type PartReason =
  | { readonly why: "folded" }
  | { readonly why: "shortened" }
  | { readonly why: "protected"; readonly by: ProtectedBy }
  /** Pinned, released by the agent and not gone yet, or one of the newest calls. */
  | { readonly why: "pinned" | "released" | "newest" }
  /** Arguments of the current turn's newest calls are not touched, nor those beside its thinking. */
  | { readonly why: "this turn" }
  /** Another part that stands points at it. */
  | { readonly why: "needed" }
  /** A line in its place would hardly be shorter, or it must stay as it is: pictures. */
  | { readonly why: "no gain" }
  /** The model's calls until its retention ends. */
  | { readonly why: "in use"; readonly calls: number }
  /** Its retention has ended, but there is room for so much file text. */
  | { readonly why: "spared" }
  /** Its retention has ended, and it folds as soon as a fold costs less than sending it. */
  | { readonly why: "due" };

export interface PartWhy {
  /** As in `ContextView.forms`. */
  readonly key: string;
  readonly isArgs: boolean;
  /** UTF-16 units in full. */
  readonly fullChars: number;
  readonly reason: PartReason;
}

/**
 * Why the parts of an object stand in the next prompt as they do, in order of the log: of a call its arguments and its
 * output, of a file all outputs that show its text. Empty where the prompt has none.
 * @param options those of the policy that decides
 */
export function whyParts(view: ContextView, object: string, options: ContextLogOptions = {}): readonly PartWhy[] {
  const settings = settingsOf(options);
  const log = partsOf(view);
  const { candidates } = promptEstimate(view, log, { begins: new Map(), settings });
  const byKey = new Map(candidates.map((candidate) => [candidate.part.key, candidate]));
  const newest = (id: string): string => view.objects.get(id)?.id ?? id;
  const isIt = (id: string): boolean => newest(id) === newest(object);
  const parts = log.parts.filter((part) => part.object === object || showsAny(view, part, isIt));
  return parts.map((part) => {
    const form = view.forms.get(part.key)?.form;
    const by = settings.protection.by(part, log, view.turn);
    const reason = changed(form) ?? (by === undefined ? undefined : ({ why: "protected", by } as const));
    const facts = { part, candidate: byKey.get(part.key), settings };
    const { key, isArgs, chars: fullChars } = part;
    return {
      key: key === "" ? resultPart(part.at) : key,
      isArgs,
      fullChars,
      reason: reason ?? candidateReason(view, facts),
    };
  });
}

function changed(form: PartForm["form"] | undefined): PartReason | undefined {
  if (form === "reference") return { why: "folded" };
  return form === undefined || form === "full" || form === "sparse" ? undefined : { why: "shortened" };
}

interface WhyFacts {
  readonly part: Part;
  readonly candidate: FoldCandidate | undefined;
  readonly settings: ContextLogSettings;
}

function candidateReason(view: ContextView, { part, candidate, settings }: WhyFacts): PartReason {
  if (candidate === undefined) return { why: "no gain" };
  const { step } = view;
  const { wholeSteps } = settings.constants;
  if (settings.stages.isBound(part, view, settings.constants)) return { why: "this turn" };
  if (isMember(view, "dismissed", part)) return { why: part.step + wholeSteps > step ? "newest" : "released" };
  if (isMember(view, "pinned", part)) return { why: "pinned" };
  if (part.step + wholeSteps > step) return { why: "newest" };
  if (candidate.clockEndsAt > step) return { why: "in use", calls: candidate.clockEndsAt - step };
  if (candidate.expiredAt !== retained) return { why: "due" };
  return candidate.isFree ? { why: "spared" } : { why: "needed" };
}
