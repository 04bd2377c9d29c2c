export { CostMeter, type CostMeterOptions, type CostTotals } from "./cost/cost-meter.ts";
export { type ProviderPrices, providerPrices } from "./cost/provider-prices.ts";
export { servedBefore } from "./cost/served-before.ts";
export type * from "./grammar/block.ts";
export { causeText, reasonText } from "./grammar/fold-words.ts";
export type * from "./grammar/notice.ts";
export { parse } from "./grammar/parse.ts";
export { spansOf } from "./grammar/text-spans.ts";
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
export { type ShownKind, type ShownPart, savedChars, shownParts } from "./policies/in-view/shown-parts.ts";
export { type PartReason, type PartWhy, whyParts } from "./policies/in-view/why-parts.ts";
export type { Clock, ClockOf, FormedPart } from "./policies/log-index/candidate-rows.ts";
export { charsIn, type FoldCandidates, foldCandidates } from "./policies/log-index/fold-candidates.ts";
export { type LogParts, partsOf as logParts } from "./policies/log-index/log-parts.ts";
export { isFileText, type Part, type PartClass, type Touch } from "./policies/log-index/part.ts";
export { type KeptNames, type KeptOptions, keptNames } from "./policies/names/kept-names.ts";
export { type NamesInView, namesInView } from "./policies/names/names-in-view.ts";
export { plainPolicy } from "./policies/plain.ts";
export { noProtection, type ProtectedBy, type Protection } from "./policies/protection.ts";
export { ssotWindowPolicy, type TurnWindow } from "./policies/ssot-window.ts";
export type * from "./tools/action.ts";
export type { ToolAnswer } from "./tools/context-tool/context-tool.ts";
export { type ContextAction, contextTool, contextToolName } from "./tools/context-tool/context-tool.ts";
export { preparedArguments } from "./tools/context-tool/given-arguments.ts";
export { contextToolLimits } from "./tools/context-tool/limits.ts";
export type { ContextToolHost } from "./tools/context-tool/named-outcomes.ts";
export { type RepeatedNotice, repeatsNotice } from "./tools/context-tool/repeats-notice.ts";
export { type ContextToolOptions, runContextTool } from "./tools/context-tool/run-context-tool.ts";
export type { CallOutput } from "./tools/output-signs.ts";
export { type SourceAddress, sourceAddresses } from "./tools/source-addresses.ts";
export { fileAction, fileActions, toolAction } from "./tools/tool-action.ts";
