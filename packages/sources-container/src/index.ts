export { limits } from "./limits.ts";
export { type ContainerSource, type ContainerSourceOptions, createContainerSource } from "./source/container-source.ts";
export type { RegisteredContainer } from "./source/registered-container.ts";
