export type * from "./blocks/block.ts";
export { parse } from "./blocks/parse.ts";
export { type ContextAction, contextTool, contextToolName } from "./context-tool/context-tool.ts";
export { preparedArguments } from "./context-tool/given-arguments.ts";
export { contextToolLimits } from "./context-tool/limits.ts";
export type { ContextToolHost } from "./context-tool/named-outcomes.ts";
export { type RepeatedNotice, repeatsNotice } from "./context-tool/repeats-notice.ts";
export { type ContextToolOptions, runContextTool } from "./context-tool/run-context-tool.ts";
export type { ToolAnswer } from "./context-tool/tool-answer.ts";
export { CostMeter, type CostMeterOptions, type CostTotals } from "./cost/cost-meter.ts";
export { type ProviderPrices, providerPrices } from "./cost/provider-prices.ts";
export { servedBefore } from "./cost/served-before.ts";
export { savedChars } from "./in-view/saved-chars.ts";
export { type ShownKind, type ShownPart, shownParts } from "./in-view/shown-parts.ts";
export { type PartReason, type PartWhy, whyParts } from "./in-view/why-parts.ts";
export { layouts, rendererFor } from "./layouts/layouts.ts";
export { logLayout } from "./layouts/log.ts";
export { plainLayout } from "./layouts/plain.ts";
export { ssotAliasLayout, ssotLayout } from "./layouts/ssot.ts";
export type { Clock, ClockOf, FormedPart } from "./log-index/candidate-rows.ts";
export { charsIn, type FoldCandidates, foldCandidates } from "./log-index/fold-candidates.ts";
export { type LogParts, partsOf as logParts } from "./log-index/log-parts.ts";
export { isFileText, type Part, type PartClass, type Touch } from "./log-index/part.ts";
export { messageContent } from "./messages/content.ts";
export { type KeptNames, type KeptOptions, keptNames } from "./names/kept-names.ts";
export { type NamesInView, namesInView } from "./names/names-in-view.ts";
export { spansOf } from "./names/text-spans.ts";
export type * from "./notices/notice.ts";
export {
  type Arrival,
  type ArrivalForms,
  earlierText,
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
export { plainPolicy } from "./policies/plain.ts";
export { noProtection, type ProtectedBy, type Protection } from "./policies/protection.ts";
export { ssotWindowPolicy, type TurnWindow } from "./policies/ssot-window.ts";
export type * from "./tools/action.ts";
export type { CallOutput } from "./tools/output-signs.ts";
export { type SourceAddress, sourceAddresses } from "./tools/source-addresses.ts";
export { fileAction, fileActions, toolAction } from "./tools/tool-action.ts";
export { causeText, reasonText } from "./words/fold-words.ts";
