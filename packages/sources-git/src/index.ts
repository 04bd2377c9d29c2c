export { limits } from "./limits.ts";
export type { RegisteredFolder } from "./repository/identify.ts";
export { createGitSource, type GitSource, type GitSourceOptions } from "./source/git-source.ts";
export type { Timer } from "./timer.ts";
