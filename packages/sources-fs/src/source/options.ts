import { CmError, defined } from "@cm/object-model";
import { realPath } from "../guard/real-path.ts";
import { type ClientEnvironment, detectEnvironment } from "../identity/detect-environment.ts";
import { fileLimits as limits } from "../limits.ts";
import { type MountMapping, parseMountMappings } from "../mounts/mount-mapping.ts";
import { isAbsolutePath, normalPath } from "../mounts/normal-path.ts";
import { createPlaces, type PlacesOptions, type Relocation } from "../mounts/places.ts";
import type { IgnoreOptions } from "../rules/folder-rules.ts";

export interface FilesystemSourceOptions {
  /** Local folders, absolute. Nothing outside them is opened. */
  readonly roots: readonly string[];
  /** The file systems of the agent's paths. Default: the agent sees this client's own paths. */
  readonly sandbox?: { readonly filesystemId: string; readonly mappings: readonly MountMapping[] };
  /** The environment of this client's own paths. Default: `detectEnvironment()`. */
  readonly environment?: ClientEnvironment;
  /** Where files that were bound on other machines are found here. */
  readonly relocations?: readonly Relocation[];
  /** Which files are never opened. Default: what git ignores, and files that hold only credentials. */
  readonly ignore?: Omit<IgnoreOptions, "roots">;
}

/**
 * Paths of a configuration by their real names: a mapping that goes through a link would bind one file twice. This is
 * the one place that asks the file system on the caller's own thread, once for each prefix.
 *
 * @throws CmError `source/invalid-options`, `source/invalid-mapping`
 */
export function realPlaces(options: FilesystemSourceOptions): PlacesOptions {
  const { relocations = [], sandbox } = options;
  if (relocations.length > limits.relocationsMax) invalid("relocations", `more than ${limits.relocationsMax}`);
  for (const { canonicalPrefix, localPrefix } of relocations) {
    if (!isAbsolutePath(canonicalPrefix) || !isAbsolutePath(localPrefix)) invalid("relocations", "a relative prefix");
  }
  const { filesystemId, mappings } = options.environment ?? detectEnvironment();
  const environment = { filesystemId, mappings: parseMountMappings(mappings) };
  return {
    environment,
    ...defined({ sandbox: sandbox === undefined ? undefined : realSandbox(sandbox, environment) }),
    relocations: relocations.map((one) => ({ ...one, localPrefix: realPath(normalPath(one.localPrefix)) })),
  };
}

function realSandbox(
  { filesystemId, mappings }: NonNullable<FilesystemSourceOptions["sandbox"]>,
  environment: PlacesOptions["environment"],
): NonNullable<PlacesOptions["sandbox"]> {
  const own = createPlaces({ environment });
  const real = parseMountMappings(mappings).map((mapping) => {
    const { filesystemId: id, canonicalPrefix } = mapping;
    const local = own.localPathOf({ filesystemId: id, path: canonicalPrefix });
    // A mapping written by hand has the host's id for all of its paths, also for a network mount.
    const path = "path" in local ? local.path : id === environment.filesystemId ? canonicalPrefix : undefined;
    if (path === undefined) return mapping;
    const there = own.bindingOfLocal(realPath(normalPath(path)));
    return { agentPrefix: mapping.agentPrefix, canonicalPrefix: there.path, filesystemId: there.filesystemId };
  });
  return { filesystemId, mappings: real };
}

/** @throws CmError `source/invalid-options` */
export function checkedRoots(roots: readonly string[]): readonly string[] {
  if (roots.length > limits.rootsMax) invalid("roots", `more than ${limits.rootsMax}`);
  if (!roots.every((root) => isAbsolutePath(root) && !root.includes("\0")))
    invalid("roots", "a path that is not absolute");
  return roots.map(normalPath);
}

function invalid(field: string, what: string): never {
  throw new CmError("source/invalid-options", `The options of a file source have ${what} in ${field}.`, { field });
}
