import type { IncomingResult, IncomingUser, StepRecord } from "@cm/context-log";

/** What happens next: something arrives, or the model is asked and answers. */
export type ScriptMoment =
  | { readonly kind: "incoming"; readonly messages: readonly (IncomingUser | IncomingResult)[] }
  | { readonly kind: "step"; readonly record: StepRecord };
