import { isSessionId, sha256 } from "@cm/object-model";
import { invalid } from "../errors.ts";
import { limits } from "../limits.ts";

export const workspaceObject = (workspaceId: string): string => `workspace:${workspaceId}`;
export const sessionObject = (sessionId: string): string => `governed_session:${sessionId}`;
export const taskObject = (sessionId: string, taskId: string): string => `task:${sessionId}:${taskId}`;
export const artifactObject = (artifactId: string): string => `artifact:${artifactId}`;
export const historyObject = (sessionId: string): string => `session_history:${sessionId}`;
export const historyPartObject = (sessionId: string, hash: string): string => `history_part:${sessionId}:${hash}`;
export const messageObject = (sessionId: string, messageId: string): string =>
  `thread_message:${sessionId}:${messageId}`;
export const approvalObject = (approvalId: string): string => `approval:${approvalId}`;
export const eventObject = (eventId: string): string => `governed_event:${eventId}`;

/** @throws CmError `workspace/invalid` */
export function checkId(field: string, id: string): string {
  if (isSessionId(id)) return id;
  throw invalid(
    field,
    `The ${field} has 1 to 128 letters, digits, dots, underscores, hyphens or tildes; take another.`,
  );
}

/** Made of a task's id and more, so it may be longer. @throws CmError `workspace/invalid` */
export function checkMessageId(id: string): string {
  if (id.length <= limits.messageIdCharsMax && /^[\w.~-]+$/.test(id)) return id;
  throw invalid(
    "messageId",
    `The messageId has 1 to ${limits.messageIdCharsMax} letters, digits, dots, underscores, hyphens or tildes; take another.`,
  );
}

/** What a local workspace is found by. A deleted one leaves its place to the next of the same owner and path. */
export function localWorkspaceId(
  owner: { readonly tenantId: string; readonly userId: string; readonly path: string },
  generation: number,
): string {
  const named = JSON.stringify([owner.tenantId, owner.userId, owner.path, generation]);
  return `ws-${sha256(named).slice(0, 32)}`;
}
