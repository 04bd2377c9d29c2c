export { logLayout } from "./layouts/log.ts";
export { messageContent } from "./layouts/messages/content.ts";
export { plainLayout } from "./layouts/plain.ts";
export { ssotAliasLayout, ssotLayout } from "./layouts/ssot.ts";
export { layouts, rendererFor } from "./layouts.ts";
export {
  type Arrival,
  type ArrivalForms,
  earlierText,
  repeatedLines,
  sparseNumbers,
} from "./policies/context-log/arrival.ts";
export {
  type Clocks,
  type ContextLogConstants,
  type ContextLogPreset,
  contextLogConstants,
  contextLogPresets,
  type Limits,
  type Pace,
} from "./policies/context-log/constants.ts";
export { type Cut, type CutFacts, possibleCuts } from "./policies/context-log/cut.ts";
export type { FoldCandidate, PromptEstimate } from "./policies/context-log/estimate.ts";
export type { Along, Fold } from "./policies/context-log/fold.ts";
export {
  type ContextLogOptions,
  type ContextLogStages,
  type ContextLogWishes,
  contextLogPolicy,
  contextLogPolicyOf,
  contextLogStages,
} from "./policies/context-log/policy.ts";
export {
  bareReferences,
  type Keep,
  type ReferenceFacts,
  type References,
  referencesWith,
} from "./policies/context-log/references.ts";
export { causeText, reasonText } from "./policies/in-view/fold-words.ts";
export { type ShownKind, type ShownPart, savedChars, shownParts } from "./policies/in-view/shown-parts.ts";
export { type PartReason, type PartWhy, whyParts } from "./policies/in-view/why-parts.ts";
export type { Clock, ClockOf, FormedPart } from "./policies/log-index/candidate-rows.ts";
export { charsIn, type FoldCandidates, foldCandidates } from "./policies/log-index/fold-candidates.ts";
export { type LogParts, partsOf as logParts } from "./policies/log-index/log-parts.ts";
export { isFileText, isReadText, type Part, type PartClass, type Touch } from "./policies/log-index/part.ts";
export { type KeptNames, type KeptOptions, keptNames } from "./policies/names/kept-names.ts";
export { type NamesInView, namesInView } from "./policies/names/names-in-view.ts";
export { plainPolicy } from "./policies/plain.ts";
export { noProtection, type ProtectedBy, type Protection } from "./policies/protection.ts";
export { ssotWindowPolicy, type TurnWindow } from "./policies/ssot-window.ts";
