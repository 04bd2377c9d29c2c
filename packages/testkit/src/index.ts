export { NotAdmittedError } from "./case/admission.ts";
export type { CaseOptions } from "./case/time-limit.ts";
export { type Fault, type FaultRule, faults, type SeenRequest } from "./faults/fault.ts";
export { type FaultProxy, type FaultProxyOptions, openFaultProxy } from "./faults/fault-proxy.ts";
export type {
  HarnessConversation,
  HarnessImage,
  HarnessTurn,
  ScriptedAnswer,
  ScriptedCall,
} from "./harness/conversation.ts";
export {
  type HarnessCase,
  type HarnessFactory,
  type HarnessFeature,
  type HarnessUnderTest,
  harnessFeatures,
} from "./harness/harness-case.ts";
export type {
  HarnessRun,
  SentMessage,
  SentRequest,
  StoredCall,
  StoredSession,
  StoredStep,
} from "./harness/harness-run.ts";
export { harnessSuite } from "./harness/harness-suite.ts";
export { type HostHarnessOptions, hostHarness } from "./harness/host-harness.ts";
export type { HostWorld } from "./harness/host-world.ts";
export { type ProbeArgs, type ProbeResult, probeResult, probeTool } from "./harness/probe-tool.ts";
export { type Rebuild, readStoredSession, sentMessage } from "./harness/read-stored-session.ts";
export { remembering } from "./harness/remembering.ts";
export { openSimpleHarness } from "./harness/simple-harness.ts";
export { type Comparison, compareWithModel } from "./model/compare.ts";
export { type Definitions, lawful, type ModelWrite, type Moment } from "./model/definitions.ts";
export { createModelStore } from "./model/model-store.ts";
export { type Clock, createClock } from "./object-store/clock.ts";
export { objectStoreSuite } from "./object-store/object-store-suite.ts";
export { sampleTypes } from "./object-store/sample-types.ts";
export { type TicketFacts, ticket as sampleTicket } from "./object-store/samples.ts";
export type { StoreCase, StoreFactory, StoreSetting } from "./object-store/store-case.ts";
export type { PlantedBug } from "./planted-bugs/planted-bug.ts";
export { plantedBugs } from "./planted-bugs/planted-bugs.ts";
export type { PlantedHarnessBug } from "./planted-bugs/planted-harness-bug.ts";
export { plantedHarnessBugs } from "./planted-bugs/planted-harness-bugs.ts";
export type { PlantedPolicyBug } from "./planted-bugs/planted-policy-bug.ts";
export { plantedPolicyBugs } from "./planted-bugs/planted-policy-bugs.ts";
export type { PlantedSourceBug } from "./planted-bugs/planted-source-bug.ts";
export { plantedSourceBugs } from "./planted-bugs/planted-source-bugs.ts";
export type { PlantedStorageBug } from "./planted-bugs/planted-storage-bugs.ts";
export { plantedStorageBugs } from "./planted-bugs/planted-storage-bugs.ts";
export type { PolicyCase, PolicyFactory } from "./policy/policy-case.ts";
export type { PolicyPromise, PolicySubject } from "./policy/policy-subject.ts";
export { policySuite } from "./policy/policy-suite.ts";
export { type RandomSessionOptions, randomSession } from "./policy/random-session.ts";
export {
  RecordedSession,
  type RecordedSessionOptions,
  replaySession,
  type SessionEvent,
  type SessionRequest,
} from "./policy/recorded-session.ts";
export { openSimplePolicy } from "./policy/simple-policy.ts";
export { type KillMoment, runWriter, type WriterEnd, type WriterProcess } from "./processes/run-writer.ts";
export { type StoreWriting, writeToStore } from "./processes/write-to-store.ts";
export { randomDocument, randomFile, randomToolcall } from "./random/documents.ts";
export { forSeeds, type SeedRuns } from "./random/for-seeds.ts";
export { randomJson, randomJsonObject } from "./random/json.ts";
export { createRandom, type Random } from "./random/random.ts";
export { type FoundSeed, plannedSeeds } from "./random/seeds.ts";
export { hostileTexts, randomText, reservedNames } from "./random/texts.ts";
export { compareWithMemory, type MemoryComparison } from "./reference/compare-with-memory.ts";
export { ComparedStore } from "./reference/compared-store.ts";
export {
  drawnDocument,
  knownIds,
  referenceFile,
  referenceToolcall,
  referenceTypes,
} from "./reference/documents.ts";
export { type CaseResult, type KnownGap, type RunOptions, runSuite, type SuiteReport } from "./run-suite.ts";
export { incomingWords } from "./script/incoming.ts";
export type { ScriptMoment } from "./script/script-moment.ts";
export { type ScriptedRequest, ScriptedSession } from "./script/scripted-session.ts";
export {
  type AnswerOptions,
  type CallOptions,
  type Output,
  type ScriptOptions,
  SessionScript,
} from "./script/session-script.ts";
export type { SessionStorageCase, SessionStorageFactory } from "./session-storage/session-storage-case.ts";
export type { StorageSubject, StorageWriter, TestedStorage } from "./session-storage/session-storage-subject.ts";
export { sessionStorageSuite } from "./session-storage/session-storage-suite.ts";
export type { MemoryBinding } from "./source/memory-binding.ts";
export { createMemorySource, openMemorySource } from "./source/memory-source.ts";
export { MemoryWorld } from "./source/memory-world.ts";
export type { SourceCase, SourceFactory } from "./source/source-case.ts";
export type { SourceSubject, SourceWorld } from "./source/source-subject.ts";
export { sourceSuite } from "./source/source-suite.ts";
export type { ConformanceCase, ConformanceSuite } from "./suite.ts";
