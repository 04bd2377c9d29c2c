export { type CliErrorCode, exitCodes } from "./errors.ts";
export { runCm } from "./run.ts";
export { processWorld, type Surface, type World } from "./world.ts";
