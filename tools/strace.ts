import { spawnSync } from "node:child_process";
import { requirement } from "./requirement.ts";

/** For tests that look at what the system was asked for, such as which files were opened. */
export const withStrace = requirement("strace", () => spawnSync("strace", ["-V"], { stdio: "ignore" }).status === 0);
