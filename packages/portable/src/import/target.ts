import {
  chatId,
  type DocumentOf,
  isDocumentOf,
  leaseId,
  type ObjectStore,
  type StepAddress,
  sessionObjectId,
  stepId,
  type VersionToken,
} from "@cm/object-model";
import { bundleError } from "../errors.ts";
import type { Inventory } from "../verify/inventory.ts";
import { pathTo } from "../verify/step-order.ts";

/** The store's part of the bundle's session. */
export interface TargetHeads {
  readonly head: DocumentOf<"session"> | undefined;
  readonly sessionExpect: VersionToken | "absent";
  readonly chatExpect: VersionToken | "absent";
  /** The end of the lease of the session's writer, in milliseconds since the epoch. */
  readonly heldUntilMs: number;
  /** An import of the session was begun here and has not come to its end. */
  readonly isUnfinished: boolean;
}

/** `new`: the session is not there. `older`: it ends at a step of the bundle. `same`: nothing is to be done. */
export type Relation = "new" | "older" | "same" | "other";

/** @throws CmError `bundle/in-use` */
export function checkLease({ heldUntilMs }: TargetHeads, session: string, nowMs: number): void {
  if (heldUntilMs <= nowMs) return;
  throw bundleError(
    "bundle/in-use",
    `The session ${session} is being written in this store; close it there, then import again.`,
    { session },
  );
}

/** @throws CmError `bundle/conflict` */
export async function readTarget(store: ObjectStore, session: string): Promise<TargetHeads> {
  const [headId, chat, lease] = [sessionObjectId(session), chatId(session), leaseId(session)];
  const found = await store.getMany([headId, chat, lease]);
  const heads = [found.get(headId), found.get(chat)];
  const leaseNow = found.get(lease)?.document;
  const held = leaseNow !== undefined && isDocumentOf(leaseNow, "lease") ? leaseNow : undefined;
  const isUnfinished = held?.bundle === "unfinished";
  if (heads.every((version) => version === undefined)) {
    return { head: undefined, sessionExpect: "absent", chatExpect: "absent", heldUntilMs: 0, isUnfinished };
  }
  const [own, ownChat] = heads;
  if (own?.document === undefined || ownChat?.document === undefined || !isDocumentOf(own.document, "session")) {
    throw bundleError("bundle/conflict", `The heads of session ${session} were erased or damaged in this store.`, {
      ids: [headId, chat],
    });
  }
  const heldUntilMs = held?.expires_at ?? 0;
  return { head: own.document, sessionExpect: own.token, chatExpect: ownChat.token, heldUntilMs, isUnfinished };
}

/** How the session in the store stands to the one in the bundle. */
export function relationOf({ head }: TargetHeads, { session, steps, head: carried }: Inventory): Relation {
  if (head === undefined) return "new";
  if (head.chain === carried.chain && isSameStep(head.head, carried.head)) return "same";
  const path = pathTo(steps, session, head.head);
  // With as many steps it may have gone back to one of them, and stays there.
  return path?.chain === head.chain && head.next_step < carried.next_step ? "older" : "other";
}

function isSameStep(a: StepAddress | null, b: StepAddress | null): boolean {
  return (a === null ? "" : stepId(a)) === (b === null ? "" : stepId(b));
}
