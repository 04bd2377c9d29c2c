import {
  type DocumentOf,
  isDocumentOf,
  type ObjectDocument,
  type ObjectStore,
  type StepAddress,
  stepId,
  type VersionToken,
} from "@cm/object-model";
import { sessionError } from "../../errors.ts";
import { versionsOf } from "./versions-of.ts";

/** A step as it holds, and all versions of it that are still there. */
export interface FoundStep {
  readonly id: string;
  readonly token: VersionToken;
  readonly document: DocumentOf<"step">;
  readonly all: readonly { readonly token: VersionToken; readonly document: ObjectDocument }[];
}

/** @throws CmError `session/unknown-object` where there is no such step, or nothing is left of it */
export async function findStep(store: ObjectStore, { session, n }: StepAddress): Promise<FoundStep> {
  const id = stepId({ session, n });
  const versions = await versionsOf(store, id);
  const newest = versions[0];
  if (newest === undefined) throw unknownStep(session, n, "is not there");
  const { document, token } = newest;
  if (document === undefined) throw unknownStep(session, n, "was erased as a whole, and nothing of it is left");
  if (!isDocumentOf(document, "step")) throw unknownStep(session, n, "is no step");
  const all = versions.flatMap((version) =>
    version.document === undefined ? [] : [{ token: version.token, document: version.document }],
  );
  return { id, token, document, all };
}

function unknownStep(session: string, n: number, what: string) {
  return sessionError("session/unknown-object", `Nothing was erased: step ${n} of session ${session} ${what}.`, {
    session,
    n,
  });
}
