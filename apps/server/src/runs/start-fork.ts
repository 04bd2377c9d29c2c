import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { ForkRequest, Lineage, Run } from "@cm/lineage";
import type { ObjectStore } from "@cm/object-model";
import { serverError } from "../errors.ts";
import type { Presets } from "../presets/read-presets.ts";
import { environmentOf } from "./environment.ts";
import { forkFolders } from "./forked-folders.ts";

interface Surroundings {
  readonly lineage: Lineage;
  readonly store: ObjectStore;
  readonly presets: Presets;
  readonly roots: readonly string[];
  readonly forks?: string | undefined;
}

/**
 * A fork that gets folders of its own, in which the files are what the session of the snapshot knew them as. The folders
 * are made first: a run whose folders cannot be made is never begun.
 */
export async function startForkWithFiles(request: ForkRequest, surroundings: Surroundings): Promise<Run> {
  const { lineage, store, presets, roots, forks } = surroundings;
  if (forks === undefined)
    throw serverError(
      "server/invalid-request",
      "This server makes no folders for forks; start it with --forks FOLDER.",
    );
  const parent = await parentOf(request, lineage);
  const { state, environment } = parent;
  if (typeof state !== "object" || state === null)
    throw serverError(
      "server/invalid-request",
      "The run to fork has no step of a session, so that no files are known of it.",
    );
  const { workspace, projects = [] } = environment ?? {};
  const { folders } = environmentOf(workspace === undefined ? projects : presets.workspace(workspace), roots);
  const id = request.id ?? randomUUID();
  const place = join(forks, id);
  const copies = await forkFolders({ store, at: state.step, folders, place });
  try {
    return await lineage.fork({ ...request, id, from: parent.session_id, environment: { projects: copies } });
  } catch (error) {
    rmSync(place, { recursive: true, force: true });
    throw error;
  }
}

/** The run that a fork names, or the newest snapshot of the conversation. @throws CmError `lineage/not-found` */
async function parentOf({ conversationId, from }: ForkRequest, lineage: Lineage): Promise<Run> {
  if (from !== undefined) return lineage.run(from);
  const { turns } = await lineage.turns(conversationId, { limit: 1 });
  return lineage.run(turns[0]?.session_id ?? conversationId);
}
