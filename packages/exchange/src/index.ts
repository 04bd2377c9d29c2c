export type { ExchangeErrorCode } from "./errors.ts";
export { type ExportFacts, type ExportOptions, exportSession, type SessionExport } from "./export/export-session.ts";
export type * from "./import/import-options.ts";
export { importSession } from "./import/import-session.ts";
export { limits } from "./limits.ts";
