import { posix } from "node:path";
import { defined } from "@cm/object-model";
import { settingLimits as limits } from "./setting-limits.ts";
import type { MountSetting } from "./settings.ts";

/**
 * `agent=canonical` or `agent=canonical@filesystemId`, both absolute; undefined for anything else. What follows the last
 * `@` is an id where it has no slash: a folder whose own name has an `@` is written with a slash at its end.
 */
export function mountSetting(text: string): MountSetting | undefined {
  const equals = text.indexOf("=");
  if (equals < 0) return undefined;
  const where = text.slice(equals + 1);
  const at = where.lastIndexOf("@");
  const hasId = at >= 0 && !where.slice(at).includes("/");
  return checkedMount({
    agentPrefix: text.slice(0, equals),
    canonicalPrefix: hasId ? where.slice(0, at) : where,
    ...(hasId ? { filesystemId: where.slice(at + 1) } : {}),
  });
}

/** Mounts with commas between them, as a variable or a flag has them; undefined where one is none. */
export function mountSettings(text: string): readonly MountSetting[] | undefined {
  const mounts = text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map(mountSetting);
  const usable = mounts.filter((one) => one !== undefined);
  return usable.length === mounts.length && usable.length <= limits.mountsMax ? distinctMounts(usable) : undefined;
}

/** Each once; undefined where one prefix of the agent's leads to two places. */
export function distinctMounts(mounts: readonly MountSetting[]): readonly MountSetting[] | undefined {
  const byPrefix = new Map<string, MountSetting>();
  for (const mount of mounts) {
    const other = byPrefix.get(mount.agentPrefix) ?? mount;
    if (other.canonicalPrefix !== mount.canonicalPrefix || other.filesystemId !== mount.filesystemId) return undefined;
    byPrefix.set(mount.agentPrefix, other);
  }
  return [...byPrefix.values()];
}

/** With normal prefixes; undefined where one is relative, or an id is empty or too long. */
export function checkedMount({ agentPrefix, canonicalPrefix, filesystemId }: MountSetting): MountSetting | undefined {
  if (!isPlace(agentPrefix) || !isPlace(canonicalPrefix)) return undefined;
  if (filesystemId !== undefined && (filesystemId === "" || filesystemId.length > limits.filesystemIdCharsMax)) {
    return undefined;
  }
  return {
    agentPrefix: folder(agentPrefix),
    canonicalPrefix: folder(canonicalPrefix),
    ...defined({ filesystemId }),
  };
}

const isPlace = (path: string): boolean =>
  path.startsWith("/") && path.length <= limits.textCharsMax && !path.includes("\0") && path.isWellFormed();

const folder = (path: string): string => posix.resolve(path);
