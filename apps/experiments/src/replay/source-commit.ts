import { execFileSync } from "node:child_process";

/** Time that asking git may take, in milliseconds. */
const gitMs = 5_000;

/** The commit that this program was made of, with `-dirty` where files differ from it; undefined without git. */
export function sourceCommit(): string | undefined {
  try {
    return execFileSync("git", ["describe", "--always", "--dirty", "--abbrev=12", "--exclude", "*"], {
      cwd: import.meta.dirname,
      encoding: "utf8",
      // Reads only: a lock would disturb a concurrent commit.
      env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" },
      stdio: ["ignore", "pipe", "ignore"],
      timeout: gitMs,
    }).trim();
  } catch {
    return undefined;
  }
}
