/** Why the state of a file is unknown: a few fixed words, without content. Ignored files add the rule's name. */
export const reasons = {
  noMapping: "no mapping",
  outsideRoots: "outside the roots",
  rootGone: "root not there",
  notMounted: "file system not mounted",
  link: "reached through a link",
  notRegular: "not a regular file",
  notCanonical: "not a canonical path",
  denied: "permission denied",
  failed: "cannot be read",
  changing: "changes while it is read",
  timedOut: "timed out",
  aborted: "aborted",
  lost: "reading thread lost",
  closed: "closed",
} as const;

/** The state of a file that a failed call on its path implies. */
export function failureOf(error: unknown): { readonly missing: true } | { readonly unreachable: string } {
  switch ((error as NodeJS.ErrnoException | undefined)?.code) {
    case "ENOENT":
    case "ENOTDIR":
      return { missing: true };
    case "EACCES":
    case "EPERM":
      return { unreachable: reasons.denied };
    case "ELOOP":
      return { unreachable: reasons.link };
    case "ENXIO":
    case "EISDIR":
      return { unreachable: reasons.notRegular };
    case "ENAMETOOLONG":
      return { unreachable: reasons.notCanonical };
    default:
      return { unreachable: reasons.failed };
  }
}
