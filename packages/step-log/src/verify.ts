/** `@cm/step-log/verify`: for programs that look after a database. A writer of steps loads nothing of it. */
export { type Finding, isDamage, type Problem } from "./verify/finding.ts";
export { leftByImports } from "./verify/left-by-import.ts";
export { unfinishedImports } from "./verify/unfinished-imports.ts";
export { type VerifyOptions, type VerifyProgress, verifyStore } from "./verify/verify-store.ts";
