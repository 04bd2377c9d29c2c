export type { WriteBehindOptions, WriteBehindState, WriteBehindStore } from "./contract.ts";
export type { Wait } from "./in-time.ts";
export { writeBehindLimits } from "./limits.ts";
export { createWriteBehindStore } from "./write-behind-store.ts";
