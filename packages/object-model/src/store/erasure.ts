import { attachmentIdsOf } from "../documents/attachments.ts";
import type { ObjectDocument } from "../documents/document.ts";
import { contentDigestOf } from "../documents/seal.ts";

/** A version of an object; without its document where it was erased before. */
interface ErasableVersion {
  readonly id: string;
  readonly document?: ObjectDocument | undefined;
  readonly erased?: object | undefined;
}

/** SHA-256 of a text that an erasure looks for elsewhere; an empty text is no secret. */
export function digestForErasure(document: ObjectDocument): string | null {
  return document.content === "" ? null : contentDigestOf(document);
}

/**
 * What an erasure takes of all versions: those that are named, what is attached to them and to no version of their
 * object that stays, and every version with a text of these.
 * @param digestOf default: of the document's text
 */
export function lostWith<Version extends ErasableVersion>(
  all: readonly Version[],
  isNamed: (version: Version) => boolean,
  digestOf: (version: Version) => string | null = ({ document }) => (document ? digestForErasure(document) : null),
): ReadonlySet<Version> {
  const there = all.filter(({ erased }) => erased === undefined);
  const named = there.filter(isNamed);
  const ids = new Set(named.map(({ id }) => id));
  const staying = new Map([...ids].map((id) => [id, new Set<string>()] as const));
  for (const version of there) {
    if (!isNamed(version)) for (const attachment of attachedTo(version)) staying.get(version.id)?.add(attachment);
  }
  const attached = new Set(
    named.flatMap((version) => attachedTo(version).filter((id) => staying.get(version.id)?.has(id) !== true)),
  );
  const taken = there.filter((version) => isNamed(version) || attached.has(version.id));
  const digests = new Set(taken.flatMap((version) => digestOf(version) ?? []));
  return new Set([...named, ...there.filter((version) => digests.has(digestOf(version) ?? ""))]);
}

const attachedTo = ({ document }: ErasableVersion): readonly string[] => (document ? attachmentIdsOf(document) : []);
