export { type CopyOptions, type CopyProgress, type CopyReceipt, copyStore } from "./copy/copy-store.ts";
export type { BundleErrorCode } from "./errors.ts";
export { type ExportOptions, exportBundle } from "./export/export-bundle.ts";
export { bundleFormat } from "./format/lines.ts";
export { type ImportOptions, type ImportProgress, type ImportReceipt, importBundle } from "./import/import-bundle.ts";
export { limits } from "./limits.ts";
export type { OpenBundle, ReadLimits } from "./read/checked-lines.ts";
export { type BundleSummary, verifyBundle } from "./verify/verify-bundle.ts";
