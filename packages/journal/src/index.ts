export type { ContextOptions, SessionContext } from "./context/build-session-context.ts";
export { buildSessionContext } from "./context/build-session-context.ts";
export {
  createBranchSummaryMessage,
  createCompactionSummaryMessage,
  createCustomMessage,
  messageOf,
} from "./context/context-messages.ts";
export type { ContextState } from "./context/context-state.ts";
export type { ListOptions, SessionInfo } from "./discovery/list-sessions.ts";
export { listAllSessions, listSessions } from "./discovery/list-sessions.ts";
export type { RecentSession } from "./discovery/recent-sessions.ts";
export { findMostRecentSession, getRecentSessions } from "./discovery/recent-sessions.ts";
export { defaultAgentDir, defaultSessionDir } from "./discovery/session-folders.ts";
export type { BreadcrumbPlace } from "./discovery/terminal-breadcrumb.ts";
export { readBreadcrumb, terminalIdOf, writeBreadcrumb } from "./discovery/terminal-breadcrumb.ts";
export type { JournalErrorCode } from "./error-codes.ts";
export type { Dialect, DialectName } from "./format/dialect.ts";
export { dialectOf, dialects } from "./format/dialect.ts";
export { isSessionHeader, isWellFormed } from "./format/entry-schema.ts";
export * from "./format/session-entry.ts";
export type { Journal, ParseOptions } from "./journal.ts";
export { activePath, messagesInFileOrder, parseJournal } from "./journal.ts";
export type { BadLineReason, JsonLine, JsonLinesOptions, RawObject } from "./json-lines.ts";
export { jsonLines } from "./json-lines.ts";
export { limits } from "./limits.ts";
export { loadEntriesFromFile } from "./load/load-session.ts";
export { migrateSessionEntries } from "./load/migrate-session.ts";
export type { SessionText } from "./load/parse-session-text.ts";
export { parseJsonlLenient, parseSessionText } from "./load/parse-session-text.ts";
export type { JournalProblem, JournalProblemKind } from "./problem.ts";
export type { ReadOptions } from "./read-journal.ts";
export { readJournal } from "./read-journal.ts";
export type { NewSessionOptions } from "./session/new-header.ts";
export { SessionManager } from "./session/session.ts";
export type { CompactionOptions, SessionInit } from "./session/session-entries.ts";
export type { SessionOptions, SessionWarning } from "./session/session-options.ts";
export type { JournalSource } from "./source.ts";
export { FileSessionStorage } from "./storage/file-session-storage.ts";
export { MemorySessionStorage } from "./storage/memory-session-storage.ts";
export type {
  OpenWriterOptions,
  SessionStorage,
  SessionStorageStat,
  SessionStorageWriter,
} from "./storage/session-storage.ts";
export type { Tally } from "./tally.ts";
export type { SessionTreeNode } from "./tree/session-tree.ts";
export type { StoredBlob } from "./write/blob-store.ts";
export { BlobStore, isBlobRef, parseBlobRef } from "./write/blob-store.ts";
export { prepareForPersistence, truncationNotice } from "./write/prepare-entry.ts";
