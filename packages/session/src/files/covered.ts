import { locationOf, type SourceBinding } from "@cm/object-model";

/** Files of one kind of source that a session may take over from others: those of a namespace, at or below a path. */
export interface DiscoverPrefix {
  /** As in the bindings: `filesystem`, `git`, ... */
  readonly type: string;
  /** Default: any. */
  readonly namespace?: string;
  /** Whole components of the path: `/a/b` covers `/a/b` and `/a/b/c`, not `/a/bc`. Default: any. */
  readonly pathPrefix?: string;
}

/** Whether a file lies where the session is configured to discover. */
export function isCovered(prefixes: readonly DiscoverPrefix[], source: SourceBinding | null): boolean {
  if (source === null) return false;
  const location = locationOf(source);
  return prefixes.some(
    ({ type, namespace, pathPrefix = "" }) =>
      location.type === type &&
      (namespace === undefined || location.namespace === namespace) &&
      (pathPrefix === "" ||
        location.path === pathPrefix ||
        location.path.startsWith(pathPrefix.endsWith("/") ? pathPrefix : `${pathPrefix}/`)),
  );
}
