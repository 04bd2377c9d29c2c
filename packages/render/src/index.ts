export type * from "./blocks/block.ts";
export { parse } from "./blocks/parse.ts";
export { CostMeter, type CostMeterOptions, type CostTotals } from "./cost/cost-meter.ts";
export { type ProviderPrices, providerPrices } from "./cost/provider-prices.ts";
export { servedBefore } from "./cost/served-before.ts";
export { layouts, rendererFor } from "./layouts/layouts.ts";
export { logLayout } from "./layouts/log.ts";
export { plainLayout } from "./layouts/plain.ts";
export { ssotAliasLayout, ssotLayout } from "./layouts/ssot.ts";
export { messageContent } from "./messages/content.ts";
export { spansOf } from "./names/text-spans.ts";
export {
  type ContextLogOptions,
  type ContextLogPreset,
  contextLogPolicy,
  contextLogPresets,
} from "./policies/context-log/context-log.ts";
export { type ContextLogIdea, contextLogIdeas } from "./policies/context-log/ideas.ts";
export { plainPolicy } from "./policies/plain.ts";
export { ssotWindowPolicy, type TurnWindow } from "./policies/ssot-window.ts";
export { poolSummaryOf, type SummaryBudget } from "./pool/pool-summary.ts";
export type * from "./tools/action.ts";
export type { CallOutput } from "./tools/output-signs.ts";
export { fileAction, fileActions, toolAction } from "./tools/tool-action.ts";
