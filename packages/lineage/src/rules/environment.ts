import { defined } from "@cm/object-model";
import type { Environment } from "../documents/types.ts";
import { invalid, overLimit } from "../errors.ts";
import { lineageLimits } from "../limits.ts";
import { checkName } from "./names.ts";

/**
 * Where a run works: a named workspace, or an ordered list of folders, the first of which is the working folder; an
 * empty list is a conversation without files.
 */
export interface EnvironmentRequest {
  readonly mode?: "local" | "container" | undefined;
  readonly workspace?: string | undefined;
  readonly projects?: readonly string[] | undefined;
}

/** @throws CmError `lineage/invalid` for both a workspace and a list, or neither; `lineage/limit` */
export function checkEnvironment({ mode = "local", workspace, projects }: EnvironmentRequest): Environment {
  if ((workspace === undefined) === (projects === undefined)) {
    throw invalid("environment", "An environment names a workspace or a list of projects, one of the two; choose one.");
  }
  if (projects !== undefined && projects.length > lineageLimits.projectsMax) {
    throw overLimit("projectsMax", projects.length);
  }
  const longest = Math.max(0, ...(projects ?? []).map(({ length }) => length));
  if (longest > lineageLimits.projectCharsMax) throw overLimit("projectCharsMax", longest);
  if (workspace !== undefined) checkName("workspace", workspace);
  if (projects !== undefined && new Set(projects).size < projects.length) {
    throw invalid("environment", "A project stands twice in the list; name it once.");
  }
  return { mode, ...defined({ workspace, projects: projects === undefined ? undefined : [...projects] }) };
}

/** The first that says something: for a subagent the request, its preset, the run that it follows, the default. */
export function firstEnvironment(
  ...candidates: readonly (EnvironmentRequest | null | undefined)[]
): Environment | null {
  const first = candidates.find((candidate) => candidate !== null && candidate !== undefined);
  return first === undefined || first === null ? null : checkEnvironment(first);
}
