import type { StepChain } from "@cm/governance";
import { artifactObject, checkId, workspaceObject } from "../documents/ids.ts";
import type { ArtifactFields } from "../documents/types.ts";
import { invalid, notFound } from "../errors.ts";
import { limits } from "../limits.ts";
import { liveSession, liveWorkspace } from "../records/live.ts";
import { changed, created } from "../records/records.ts";
import type { Setting } from "../setting.ts";

export interface NewArtifact {
  readonly chain: StepChain;
  readonly name: string;
  readonly mediaType?: string;
  /** A tool's output is the tool call's object: it is named, and not copied. */
  readonly made:
    | { readonly type: "tool_output"; readonly object: string }
    | { readonly type: "file_diff" | "generated_file"; readonly text: string }
    | { readonly type: "generated_file"; readonly base64: string };
}

export interface Artifact {
  readonly fields: ArtifactFields;
  /** As text, or as base64 where `fields.encoding` says so; null where the tool call's object is gone. */
  readonly body: string | null;
}

/** Every artifact renews its workspace. */
export async function addArtifact(
  { records, content, now, newId }: Setting,
  added: NewArtifact,
): Promise<ArtifactFields> {
  const { chain, made, name, mediaType = "text/plain" } = added;
  const artifactId = checkId("artifactId", newId());
  const body = "text" in made ? made.text : "base64" in made ? made.base64 : null;
  if (body !== null && body.length > limits.artifactCharsMax) {
    throw invalid("body", `An artifact has at most ${limits.artifactCharsMax} characters; make several of it.`);
  }
  if ("object" in made && !(await content.getMany([made.object])).has(made.object)) throw notFound("tool call");
  return records.change(async () => {
    const at = now();
    const { session, workspace } = await liveSession(records, chain.sessionId);
    if (session.fields.workspace_id !== chain.workspaceId) throw notFound("session");
    const fields: ArtifactFields = {
      content: null,
      workspace_id: chain.workspaceId,
      session_id: chain.sessionId,
      task_id: chain.taskId,
      step_id: chain.stepId,
      state: "live",
      artifact_id: artifactId,
      artifact_type: made.type,
      name,
      media_type: mediaType,
      encoding: "base64" in made ? "base64" : "text",
      object: "object" in made ? made.object : null,
      body,
      created_at: at,
    };
    const renewed = { last_active_at: Math.max(at, workspace.fields.last_active_at) };
    return {
      writes: [created("artifact", artifactObject(artifactId), fields), changed("workspace", workspace, renewed)],
      result: fields,
    };
  });
}

/** @throws CmError `workspace/not-found` */
export async function readArtifact({ records, content }: Setting, artifactId: string): Promise<Artifact> {
  const found = await records.get("artifact", artifactObject(artifactId));
  if (found?.fields.state !== "live") throw notFound("artifact");
  const workspace = await records.get("workspace", workspaceObject(found.fields.workspace_id));
  if (workspace?.fields.state !== "live") throw notFound("artifact");
  const { object, body } = found.fields;
  if (object === null) return { fields: found.fields, body };
  return { fields: found.fields, body: (await content.getMany([object])).get(object)?.document?.content ?? null };
}

/** Newest first, of a workspace or of one of its sessions. */
export async function listArtifacts(
  { records }: Setting,
  workspaceId: string,
  page: { readonly sessionId?: string; readonly limit?: number; readonly cursor?: string } = {},
): Promise<{ readonly artifacts: readonly ArtifactFields[]; readonly next?: string }> {
  await liveWorkspace(records, workspaceId);
  const { sessionId, ...rest } = page;
  const where = {
    workspace_id: workspaceId,
    state: "live",
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
  };
  const { rows, next } = await records.find("artifact", where, { ...rest, order: "newest" });
  const artifacts = rows.map(({ fields }) => fields);
  return next === undefined ? { artifacts } : { artifacts, next };
}
