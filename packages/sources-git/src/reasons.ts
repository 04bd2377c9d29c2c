/** All that an `unreachable` of this source can say: fixed words, without names or content. */
export const reasons = {
  closed: "the source is closed",
  givenUp: "given up",
  timedOut: "timed out",
  unknownRepository: "no such repository is registered here",
  noGit: "git is not installed",
  oldGit: "git is older than 2.36",
  noFolder: "the repository is not there",
  noRepository: "not a git repository",
  foreignOwner: "the repository belongs to another user",
  brokenRepository: "git cannot read the repository",
  noRef: "this cannot be a ref",
  tooManyRefs: "too many refs",
  tooManyFollowed: "too many bindings are followed",
  brokenRef: "the ref is broken",
  unbornHead: "HEAD is on no commit",
  noCommit: "the commit is not in this repository",
  noTree: "the ref leads to no folder",
  missingObject: "an object is not in this repository",
  damagedObject: "an object is damaged",
  largeFolder: "a folder is too large",
  symbolicLink: "a symbolic link",
  submodule: "a submodule",
  folder: "a folder",
  inSubmodule: "in a submodule",
  gitEnded: "git ended early",
  gitUnclear: "git gave an unclear answer",
} as const;

export type Reason = (typeof reasons)[keyof typeof reasons];

/** Carries a reason up to the place that answers. It never leaves the package. */
export class Trouble extends Error {
  override readonly name = "Trouble";
  readonly reason: Reason;

  constructor(reason: Reason, options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}

/** The reason of an exception; an unexpected one counts as an unreadable repository. */
export function reasonOf(error: unknown): Reason {
  return error instanceof Trouble ? error.reason : reasons.brokenRepository;
}
