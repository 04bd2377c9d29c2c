import { foldedName, pathSegments } from "../bundle/path-segments.ts";
import type { CapabilityGrant } from "../bundle/policy-bundle.ts";
import { PathTree } from "./path-tree.ts";
import type { DenialReason } from "./verdict.ts";

/**
 * The name by which the filesystem itself knows a path, links followed, of a file that is not there yet that of its
 * folder and its name. Undefined, or an error, where it cannot be found out, which denies the action. Given absolute paths
 * alone.
 */
export type ResolvePath = (path: string) => string | undefined;

export type PathRules = (path: string | undefined) => DenialReason | undefined;

/** Undefined where the grant has no rules for paths. */
export function pathRules(grant: CapabilityGrant, resolvePath: ResolvePath): PathRules | undefined {
  const { allowedPaths, blockedPaths = [] } = grant;
  if (allowedPaths === undefined && blockedPaths.length === 0) return undefined;
  const real = (path: string) => realSegments(path, resolvePath);
  const named = (path: string): readonly string[] => pathSegments(path) ?? [];
  // What a rule names may itself be a link, and may come to be one later: what is blocked is so by either name.
  const allowedTree = allowedPaths && new PathTree(allowedPaths.map((path) => real(path) ?? named(path)));
  const blockedTree = new PathTree(
    blockedPaths.flatMap((path) => [named(path), real(path) ?? named(path)]).map(folded),
  );
  return (path) => {
    if (path === undefined) return "scope_unknown";
    const asked = pathSegments(path);
    const resolved = asked && real(path);
    if (asked === undefined || resolved === undefined) return "path_not_understood";
    if (blockedTree.covers(folded(asked)) || blockedTree.covers(folded(resolved))) return "path_blocked";
    return allowedTree === undefined || allowedTree.covers(resolved) ? undefined : "path_not_allowed";
  };
}

/** A file that is not there yet has no name of the filesystem's own: what is blocked is so in each spelling. */
const folded = (segments: readonly string[]): readonly string[] => segments.map(foldedName);

/** A function that throws, as those of Node do, could not find it out. */
function realSegments(path: string, resolvePath: ResolvePath): readonly string[] | undefined {
  try {
    const real = resolvePath(path);
    return real === undefined ? undefined : pathSegments(real);
  } catch {
    return undefined;
  }
}
