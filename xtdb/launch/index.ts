export type { NodeStorage } from "./configuration.ts";
export { engineTimes } from "./engine-times.ts";
export { nodeLimits } from "./limits.ts";
export { isNodeError, NodeError, type NodeErrorCode } from "./node-error.ts";
export type { XtdbNode } from "./node-process.ts";
export { type PrepareOptions, prepare, whatIsMissing } from "./prepare.ts";
export { type StartOptions, startNode } from "./start-node.ts";
