export { type WorkBounds, withDeadline, withinBounds } from "./bounds/deadline.ts";
export { LruCache, type LruCacheOptions } from "./bounds/lru-cache.ts";
export { canonicalJson, type JsonObject, type JsonValue } from "./canonical-json.ts";
export { type Defined, defined, nonEmpty } from "./defined.ts";
export { attachmentBytes, attachmentIdsOf, sealAttachment } from "./documents/attachments.ts";
export { firstChain, nextChain } from "./documents/chain.ts";
export type { CallChain, FilePayload, NullReason, SeenSpan, ToolcallPayload } from "./documents/content-objects.ts";
export {
  type CoreType,
  type DocumentOf,
  type Envelope,
  isDocumentOf,
  type ObjectDocument,
  type PayloadOf,
} from "./documents/document.ts";
export { chainHashOf, type TextChoice, withoutTexts } from "./documents/erased-texts.ts";
export type { AttachmentRef } from "./documents/fields.ts";
export { type IndexEntry, indexEntryOf, indexKeysOf } from "./documents/index-entry.ts";
export { type IndexedFields, indexedFieldsOf } from "./documents/indexed-fields.ts";
export {
  type EntryTextReference,
  entryTextReference,
  erasedTextReference,
  isEntryName,
  mapEntryTexts,
} from "./documents/journal-entries.ts";
export type { StepMessage, Thinking } from "./documents/messages.ts";
export {
  contentDigestOf,
  type Identity,
  objectIdOf,
  parseDocument,
  payloadOf,
  sameVersion,
  sealDocument,
  sealHashedDocument,
} from "./documents/seal.ts";
export type { Amended, ErasedText, MovedPath, SetChanges } from "./documents/session-objects.ts";
export {
  type FilesystemBinding,
  fileTypeOf,
  type GitBinding,
  locationOf,
  parseSourceBinding,
  type S3Binding,
  type SourceBinding,
  type SourceLocation,
} from "./documents/source-binding.ts";
export { indexedBy, observedBy, toolcallsIn } from "./documents/step-references.ts";
export { coreDocumentTypes, type DocumentType, DocumentTypes, type IndexDeclaration } from "./documents/types.ts";
export { wholeTokens } from "./documents/whole-tokens.ts";
export * from "./errors.ts";
export { hashedRecord, hashJson, sha256, sourcedIdentityHash, unsourcedIdentityHash } from "./hashing.ts";
export * from "./ids.ts";
export { limits } from "./limits.ts";
export * from "./source/contract.ts";
export * from "./source/state-cache.ts";
export { watchedState } from "./source/tracking.ts";
export {
  type CheckedFind,
  checkFind,
  compareFindPlaces,
  type FindPlace,
  findCursor,
  findPlace,
} from "./store/check-find.ts";
export {
  type CheckedCommit,
  type CheckedWrite,
  checkAgainstNewest,
  checkCommit,
  checkIds,
  checkNamed,
  checkReason,
  historyRows,
  isNamedVersion,
  type NamedVersions,
  type NewestVersions,
  pageRows,
} from "./store/checks.ts";
export * from "./store/contract.ts";
export { type ErasedObjects, erasedObjectsAmong } from "./store/erased-objects.ts";
export { lostWith } from "./store/erasure.ts";
export { everyVersion } from "./store/every-version.ts";
export { filterMatcher } from "./store/filter-matcher.ts";
export { firstWrite } from "./store/first-write.ts";
export { type HistoryReader, historiesOf } from "./store/histories-of.ts";
export { createMemoryStore, type MemoryStoreOptions } from "./store/memory-store.ts";
export { charsIn, everyDocument, inParts, ReadSize } from "./store/read-size.ts";
export * as refusals from "./store/refusals.ts";
export * as timeline from "./store/timeline.ts";
