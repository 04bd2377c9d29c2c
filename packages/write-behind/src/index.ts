export type { WriteBehindOptions, WriteBehindState, WriteBehindStore } from "./contract.ts";
export { writeBehindLimits } from "./limits.ts";
export type { Wait } from "./race-deadline.ts";
export { createWriteBehindStore } from "./write-behind-store.ts";
