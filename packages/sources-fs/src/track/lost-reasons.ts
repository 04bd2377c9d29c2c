/** Why a file is not watched: the same words for the same reason (source contract, `Tracked.reason`). */
export const lostReasons = {
  noWatches: "no watches left",
  notPermitted: "folder not permitted",
  folderGone: "folder gone",
  noAnswer: "no answer",
  watchFailed: "watch failed",
  tooMany: "too many followed files",
} as const;

const byCode: Readonly<Record<string, string>> = {
  ENOSPC: lostReasons.noWatches,
  EMFILE: lostReasons.noWatches,
  ENFILE: lostReasons.noWatches,
  EACCES: lostReasons.notPermitted,
  EPERM: lostReasons.notPermitted,
  ENOENT: lostReasons.folderGone,
  ENOTDIR: lostReasons.folderGone,
  ETIMEDOUT: lostReasons.noAnswer,
};

export function lostReason(error: unknown): string {
  const code = typeof error === "object" && error !== null ? (error as { code?: unknown }).code : undefined;
  return (typeof code === "string" ? byCode[code] : undefined) ?? lostReasons.watchFailed;
}
