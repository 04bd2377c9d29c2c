/** All that an `unreachable` of this source can say: fixed words, without names or content. */
export const reasons = {
  closed: "the source is closed",
  givenUp: "given up",
  timedOut: "timed out",
  unknownContainer: "no such container is registered here",
  noEngine: "the program that enters the container is not installed",
  engineAway: "the container engine cannot be reached",
  noContainer: "there is no such container",
  notRunning: "the container is not running",
  noShell: "the container has no shell",
  noPrograms: "the container lacks sha256sum, readlink, head or wc",
  noPath: "this cannot be a path",
  outside: "outside the folders that may be looked into",
  noRoot: "the folder that may be looked into is not there",
  kernel: "a file of the kernel",
  denied: "no permission",
  folder: "a folder",
  special: "not a regular file",
  brokenLink: "a link that leads nowhere",
  huge: "too large to be hashed",
  changing: "it changes while it is read",
  failed: "it cannot be read",
  execEnded: "the look ended early",
  execUnclear: "the container gave an unclear answer",
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

/** The reason of an exception; an unexpected one counts as an unclear answer. */
export function reasonOf(error: unknown): Reason {
  return error instanceof Trouble ? error.reason : reasons.execUnclear;
}
