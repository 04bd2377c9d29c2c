import type { DocumentOf } from "@cm/object-model";
import type { LogEntry } from "../log-entries.ts";
import { type PartForm, placeOfPart } from "../part-form.ts";
import type { PromptDecision } from "../view.ts";

/** A request with which text was folded or cut. Plain data. */
export interface Fold {
  /** The request's number on the session's path, from 0. */
  readonly step: number;
  /** When it was made, or where no step says so when it was recorded; milliseconds since the epoch. */
  readonly atMs: number;
  /** Why sent text was rewritten, as the policy called it; undefined where only new text was cut. */
  readonly cause: string | undefined;
  /** The parts that no longer stand in full, with their new forms. */
  readonly forms: Readonly<Record<string, PartForm>>;
  /** The policy's reasons, each with the parts or objects that it holds for. */
  readonly reasons: Readonly<Record<string, readonly string[]>>;
}

/** Undefined for a step that folded nothing. Text that merely arrived as a reference to what stands counts as none. */
export function foldOf(
  { fold, forms = {}, reasons = {} }: PromptDecision,
  { requested_at, recorded_at }: Pick<DocumentOf<"step">, "requested_at" | "recorded_at">,
  step: number,
): Fold | undefined {
  const folded = Object.entries(forms).filter(([, { form }]) => takesText.has(form));
  if (folded.length === 0) return undefined;
  const atMs = requested_at ?? recorded_at;
  return { step, atMs, cause: fold?.reason, forms: Object.fromEntries(folded), reasons };
}

/** The folds of which a part still stands in the prompt. */
export function foldsInView(folds: readonly Fold[], log: readonly LogEntry[]): Fold[] {
  const stands = (part: string): boolean => log[placeOfPart(part)]?.kind !== "omitted";
  return folds.filter(({ forms }) => Object.keys(forms).some(stands));
}

const takesText: ReadonlySet<PartForm["form"]> = new Set(["reference", "replaced", "spans"] as const);
