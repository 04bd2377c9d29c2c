export type { ReplayFigures } from "./calls/call-recorder.ts";
export { type ModelCall, modelCalls } from "./calls/model-calls.ts";
export { type Lifetime, lifetimeName } from "./calls/recorded-cache.ts";
export { absentFiles, type ReplayFiles, replayFilesystemId } from "./files/replay-files.ts";
export { limits } from "./limits.ts";
export { type OutputUse, outputUse, type UnusedOutput } from "./measure/output-use.ts";
export { type MeasuredCall, SessionMeasure, type SessionMeasureOptions } from "./measure/session-measure.ts";
export { type IdChoice, idChoices, withIds } from "./policies/ids.ts";
export {
  namedPolicies,
  type PolicyName,
  policiesNamed,
  policyGroups,
  policyNames,
  usualPolicies,
} from "./policies/named-policies.ts";
export { fixedPolicy, layoutFor, type NamedPolicy } from "./policies/named-policy.ts";
export { opponents } from "./policies/opponents/opponents.ts";
export { rendererFor } from "./policies/renderer-for.ts";
export { type ReplayOptions, replayRecording } from "./replay-recording.ts";
export { type PolicyEntry, type PriceVector, type RunOptions, type RunPlace, replayResult } from "./replay-result.ts";
export type {
  CallFigures,
  PartLife,
  PartState,
  Resident,
  RunResult,
  RunTotals,
  StoreKind,
} from "./results/run-result.ts";
export { runResultSchema } from "./results/run-result-schema.ts";
export {
  type FileHash,
  type ReadResults,
  type ReadRun,
  type ResultsFile,
  type ResultsMeta,
  readResults,
  resultsFileName,
  resultsFormat,
} from "./results-file.ts";
export type { Interval } from "./summary/bootstrap.ts";
export { familyName } from "./summary/family-name.ts";
export { type FamilySummary, familySummaries } from "./summary/family-summaries.ts";
export type { FigureName } from "./summary/session-figures.ts";
