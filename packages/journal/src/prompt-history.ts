export type { HistoryEntry, HistoryOptions } from "./prompt-history/prompt-history.ts";
export { HistoryStorage } from "./prompt-history/prompt-history.ts";
