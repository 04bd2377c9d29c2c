import { readlinkSync } from "node:fs";
import type { FilesystemBinding } from "@cm/object-model";
import { realPath } from "../guard/real-path.ts";
import { fileLimits as limits } from "../limits.ts";
import { joined, normalPath, parentOf } from "../mounts/normal-path.ts";
import type { Places } from "../mounts/places.ts";

/** The agent's normal path as a binding: links are resolved where this client can see them (SSOT 5.6, step 1). */
export function bindPath(agentPath: string, places: Places): FilesystemBinding {
  const binding = places.bindingOf(places.translates ? followed(agentPath, places) : agentPath);
  const local = places.localPathOf(binding);
  return "path" in local && !local.relocated ? places.bindingOfLocal(realPath(local.path)) : binding;
}

/**
 * The agent's path with its links followed as the agent would: in a sandbox, a link to `/etc/hosts` leads to the
 * sandbox's file of that name and not to ours. So each link is followed among the agent's paths.
 */
function followed(agentPath: string, places: Places): string {
  const waiting = agentPath.split("/").reverse();
  let at = "/";
  let links = 0;
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      at = parentOf(at) ?? at;
      continue;
    }
    const next = joined(at, `/${part}`);
    const target = links < limits.linksMax ? targetOf(next, places) : undefined;
    if (target === undefined) {
      at = next;
      continue;
    }
    links += 1;
    if (target.startsWith("/")) at = "/";
    waiting.push(...target.split("/").reverse());
  }
  return normalPath(at);
}

/** The target of a link; undefined for an entry that is not a link or not readable. */
function targetOf(agentPath: string, places: Places): string | undefined {
  const local = places.localPathOf(places.bindingOf(agentPath));
  if (!("path" in local)) return undefined;
  try {
    return readlinkSync(local.path);
  } catch {
    return undefined;
  }
}
