/** The oldest Node whose SQLite and zstd the store can use. */
const oldest = [22, 19] as const;
/** Its SQLite lacks the index of texts. */
const majorWithoutStore = 23;

/** `22.19, or 24 or later`. */
export const supportedNodes = `${oldest.join(".")}, or 24 or later`;

/** @param version without a `v`; default: this process's */
export function isNodeSupported(version: string = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  return isNewEnough && major !== majorWithoutStore;
}
