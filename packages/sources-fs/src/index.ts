export { type IgnoreOptions, type IgnoreReason, type IgnoreRules, ignoreRules } from "./rules/ignore-rules.ts";
