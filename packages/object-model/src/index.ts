export { type WorkBounds, withDeadline, withinBounds } from "./bounds/deadline.ts";
export { LruCache, type LruCacheOptions } from "./bounds/lru-cache.ts";
export { canonicalJson, type JsonObject, type JsonValue } from "./canonical-json.ts";
export { everyVersion } from "./contracts/every-version.ts";
export { firstWrite } from "./contracts/first-write.ts";
export * from "./contracts/object-store.ts";
export {
  type CheckedCommit,
  checkCommit,
  checkEnvelope,
  checkExpectations,
  checkFilter,
  checkIds,
  checkNamed,
  checkReason,
  clockMs,
  isNamedVersion,
  type NamedVersions,
  type NewestVersions,
  pageRows,
  timeOf,
} from "./contracts/object-store-requests.ts";
export * from "./contracts/source.ts";
export * from "./contracts/state-cache.ts";
export { watchedState } from "./contracts/tracking.ts";
export { type Defined, defined } from "./defined.ts";
export { attachmentBytes, attachmentIdsOf, sealAttachment } from "./documents/attachments.ts";
export { firstChain, nextChain } from "./documents/chain.ts";
export type { FilePayload, NullReason, SeenSpan, ToolcallPayload } from "./documents/content-objects.ts";
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
export { type IndexedFields, indexedFieldsOf } from "./documents/indexed-fields.ts";
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
export { indexedBy, observedBy, toolcallsIn } from "./documents/step-references.ts";
export { coreDocumentTypes, type DocumentType, DocumentTypes } from "./documents/types.ts";
export * from "./errors.ts";
export { hashedRecord, hashJson, sha256, sourcedIdentityHash, unsourcedIdentityHash } from "./hashing.ts";
export * from "./ids.ts";
export { limits } from "./limits.ts";
export { createMemoryStore, type MemoryStoreOptions } from "./memory-store/memory-store.ts";
export {
  type FilesystemBinding,
  fileTypeOf,
  type GitBinding,
  locationOf,
  parseSourceBinding,
  type S3Binding,
  type SourceBinding,
  type SourceLocation,
} from "./sources/binding.ts";
