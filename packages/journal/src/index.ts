export type {
  ContentPart,
  ImagePart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  UnknownPart,
} from "./content.ts";
export { textOf } from "./content.ts";
export type { JournalContext } from "./context.ts";
export { contextOf, messageOf } from "./context.ts";
export type {
  BranchSummaryEntry,
  CompactionEntry,
  CustomEntry,
  CustomMessageEntry,
  Entry,
  LabelEntry,
  MessageEntry,
  ModeChangeEntry,
  ModelChangeEntry,
  SessionInfoEntry,
  SessionInitEntry,
  ThinkingLevelChangeEntry,
  TtsrInjectionEntry,
  UnknownEntry,
} from "./entry.ts";
export type { JournalErrorCode } from "./error-codes.ts";
export type { JournalHeader } from "./header.ts";
export type { Journal, ParseOptions } from "./journal.ts";
export { activePath, messagesInFileOrder, parseJournal } from "./journal.ts";
export type { BadLineReason, JsonLine, JsonLinesOptions, RawObject } from "./json-lines.ts";
export { jsonLines } from "./json-lines.ts";
export { limits } from "./limits.ts";
export type {
  AssistantMessage,
  BashExecutionMessage,
  BranchSummaryMessage,
  CompactionSummaryMessage,
  CustomMessage,
  Message,
  ToolResultMessage,
  UnknownMessage,
  Usage,
  UserMessage,
} from "./message.ts";
export type { JournalProblem, JournalProblemKind } from "./problem.ts";
export type { ReadOptions } from "./read-journal.ts";
export { readJournal } from "./read-journal.ts";
export type { JournalSource } from "./source.ts";
export type { Tally } from "./tally.ts";
