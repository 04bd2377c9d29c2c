import { isDocumentOf, type ListedVersion, type ObjectDocument } from "@cm/object-model";
import type { Finding } from "./finding.ts";

interface SoundVersion {
  readonly version: Omit<ListedVersion, "document">;
  readonly document: ObjectDocument | undefined;
}

/**
 * What is to be told of a step that stands in the place of another one. Its own hash says that it is as it was written;
 * the chain vouches for the other one, whose stamp is here unless the session was carried. Pure.
 * @param versions of one step, newest first, each with its document where that is sound
 */
export function checkReplacement(versions: readonly SoundVersion[]): readonly Finding[] {
  const newest = versions[0];
  const { document } = newest ?? {};
  if (newest === undefined || document === undefined || !isDocumentOf(document, "step")) return [];
  const { "xt/id": id, type, replaces } = document;
  if (replaces === undefined) return [];
  const about = { id, type };
  const first = versions.at(-1)?.version;
  const isOther =
    first !== undefined && first.token !== newest.version.token && first.contentHash !== replaces.content_hash;
  if (isOther) return [{ ...about, problem: "head", detail: "it replaces another step than the one that was written" }];
  const older = versions.slice(1).filter(({ version }) => version.erased === undefined);
  if (older.length > 0) {
    const detail = `an erasure of its text was not finished: ${older.length} of its versions still have it; erase it again`;
    return [{ ...about, problem: "unfinished", detail }];
  }
  const detail = "typed text was erased: it was replaced by a step without, which the chain cannot vouch for";
  return [{ ...about, problem: "erased", detail }];
}
