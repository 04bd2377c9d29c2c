import { type CheckLine, fail, ok } from "./check-line.ts";

/** The oldest Node whose SQLite and zstd the store can use. */
const oldest = [22, 19] as const;

export function checkNode(version: string = process.versions.node): CheckLine {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  const needed = oldest.join(".");
  if (isNewEnough) return ok("node", `Node ${version}`);
  return fail("node", `Node ${version}, where ${needed} is needed`, `Install Node ${needed} or later.`);
}
