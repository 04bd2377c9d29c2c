export type { RegisteredContainer } from "./container/registered-container.ts";
export { limits } from "./limits.ts";
export { type ContainerSource, type ContainerSourceOptions, createContainerSource } from "./source/container-source.ts";
