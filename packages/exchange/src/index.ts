export type { ExchangeErrorCode } from "./errors.ts";
export { type ExportFacts, type ExportOptions, exportSession, type SessionExport } from "./export/export-session.ts";
export {
  type ImportedFiles,
  type ImportSessionOptions,
  type ImportSessionReceipt,
  importSession,
  type RecordedPlace,
} from "./import/import-session.ts";
export { limits } from "./limits.ts";
