import { spawnSync } from "node:child_process";
import { requirement } from "../../../../tools/requirement.ts";

/** For tests that see Pi in a terminal. */
export const withTmux = requirement("tmux", () => spawnSync("tmux", ["-V"], { stdio: "ignore" }).status === 0);
