import { type CheckLine, fail, ok } from "./check-line.ts";

/** The oldest Node whose SQLite and zstd the store can use. */
const oldest = [22, 19] as const;
/** Its SQLite lacks the index of texts. */
const majorWithoutStore = 23;

export function checkNode(version: string = process.versions.node): CheckLine {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  if (isNewEnough && major !== majorWithoutStore) return ok("node", `Node ${version}`);
  const needed = `${oldest.join(".")}, or 24 or later`;
  return fail("node", `Node ${version}, where ${needed}, is needed`, `Install Node ${needed}.`);
}
